//! The page that says how the order of a shoe is derived, held to its word.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use audit::mix::{CommitmentPlace, drawn_cut, key, mix};
use audit::seal::seal;
use rules::card::Card;
use rules::table::Seal;
use rules::wager::Bettor;

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/fair-order.md");
    fs::read_to_string(path).unwrap()
}

/// The words after a label of the example.
fn stated(page: &str, label: &str) -> Vec<String> {
    let lines = page.lines().filter_map(|line| line.strip_prefix("    ")?.strip_prefix(label));
    lines.map(|rest| rest.trim().to_owned()).collect()
}

fn cards(text: &str) -> Vec<Card> {
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| std::str::from_utf8(pair).unwrap().parse().unwrap()).collect()
}

fn in_a_row(cards: &[Card]) -> String {
    cards.iter().map(ToString::to_string).collect()
}

/// Seal, mixed order and cards as dealt.
fn reckoned(salt: &Seal, order: &[Card], values: &[Seal], cut: usize) -> [String; 3] {
    let seal = seal(&salt.0, order);
    let mixed = mix(order, &seal, values);
    let (front, back) = mixed.split_at(cut);
    [seal.to_string(), in_a_row(&mixed), in_a_row(&[back, front].concat())]
}

#[test]
fn the_example_on_the_page_is_right() {
    let page = page();
    let one = |label: &str| stated(&page, label)[0].clone();
    let values: [Seal; 2] = ["bytes 1 ", "bytes 2 "].map(|label| one(label).parse().unwrap());
    let (salt, order) = (one("salt ").parse().unwrap(), cards(&one("order ")));
    let reckoned = reckoned(&salt, &order, &values, one("cut ").parse().unwrap());
    assert_eq!(reckoned, [one("seal "), one("mixed "), one("dealt ")]);
    let seal: Seal = one("seal ").parse().unwrap();
    for (seat, bytes) in values.iter().enumerate() {
        let seat = Bettor::at(seat);
        let place = CommitmentPlace { house: "h1", table: "war-1", shoe: 1, seal: &seal, seat };
        assert_eq!(place.commitment(bytes).to_string(), one(&format!("commitment {seat} ")));
    }
    assert_eq!(key(&seal, &values).to_string(), one("key "));
    let drawn = (0..4).map(|draw| drawn_cut(key(&seal, &values), draw, (2, 7)).to_string());
    assert_eq!(drawn.collect::<Vec<_>>().join(" "), one("drawn "));
    // By hand from the numbers: each is taken modulo 9, 8 … 2, and the card there changes places.
    let numbers: Vec<usize> = one("numbers ").split(' ').map(|n| n.parse().unwrap()).collect();
    let places: Vec<usize> = one("places ").split(' ').map(|n| n.parse().unwrap()).collect();
    assert!(numbers.iter().zip((2..=9).rev()).map(|(n, bound)| n % bound).eq(places.clone()));
    let mut by_hand = order;
    (1..9).rev().zip(places).for_each(|(last, other)| by_hand.swap(last, other));
    assert_eq!(in_a_row(&by_hand), one("mixed "));
}

#[test]
fn the_checker_on_the_page_comes_to_the_same_order() {
    if Command::new("python3").arg("--version").stdout(Stdio::null()).status().is_err() {
        return;
    }
    let page = page();
    let code = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let shoe: Vec<Card> = std::iter::repeat_n(Card::DECK, 6).flatten().collect();
    for (contributions, cut) in [(0, "52"), (1, "120"), (7, "260"), (0, "52-260"), (3, "52-260")] {
        let bytes: Vec<Seal> = (0..contributions).map(|byte| Seal([byte; 32])).collect();
        let salt = Seal([9; 32]);
        let key = key(&seal(&salt.0, &shoe), &bytes);
        let at = cut.parse().unwrap_or_else(|_| drawn_cut(key, 0, (52, 260)));
        let out = Command::new("python3")
            .args(["-c", code, &salt.to_string(), &in_a_row(&shoe), cut])
            // In whatever sequence they come.
            .args(bytes.iter().rev().map(ToString::to_string))
            .output()
            .unwrap();
        let printed = String::from_utf8(out.stdout).unwrap();
        let found: Vec<_> =
            printed.lines().filter_map(|line| line.split(' ').next_back()).collect();
        assert_eq!(found, reckoned(&salt, &shoe, &bytes, at), "{contributions} {cut}");
    }
}
