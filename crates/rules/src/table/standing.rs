//! A table between two rounds as lines of text, so that it can go on without its whole past.
//!
//! Every field of the table is named here, so that a new one does not compile before it is handled.

use super::account::Name;
use super::cut::{Cutting, FirstAsked};
use super::input::{Cutter, Input};
use super::meter::TableMeter;
use super::procedure::{Method, Procedure};
use super::seat::{Gone, MOST_GONE, index};
use super::{Batch, Chair, Phase, Table, TableShoe};
use crate::card::Card;
use crate::games::casino_war;
use crate::money::Cents;
use crate::notation::{Or, Words};
use crate::progressive::{Figures, Meter};
use crate::terms::TermSheet;
use crate::wager::Bettor;

/// Stands for a number that there is not.
const NONE: &str = "-";

impl Table {
    /// Whether [`Table::standing`] has lines.
    pub fn stands(&self) -> bool {
        let is_hit = matches!(self.meter, Some(TableMeter::Shared { hit: true, .. }));
        let is_open = matches!(self.phase, Phase::Dealing) && self.play.is_none();
        is_open && self.shoe.is_some() && self.retired.is_empty() && !is_hit && self.pit.stands()
    }

    /// All that the next round and every later one depend on, where bets could be closed now and
    /// nothing is to be put right.
    ///
    /// Terms are not in it; [`resumed`](Self::resumed) is given them. The round before is not in it
    /// either: the deal forgets it. From the last round of a shoe to the next bets there is none, for
    /// the secrets of a shoe, what players add to it and a round that may still be undone are under
    /// way: whoever goes on then reads the few inputs since the last one.
    pub fn standing(&self) -> Option<Vec<String>> {
        let Table {
            sheet: _,
            opening: _,
            procedure,
            dealer,
            chairs: _,
            gone,
            consents,
            stakes,
            arrivals,
            phase: Phase::Dealing,
            play: None,
            last: _,
            shoe: Some(shoe),
            stored,
            retired,
            burned,
            faces,
            shoes,
            next_batch,
            unwashed,
            unseen,
            is_loaded,
            decks_due,
            first_asked,
            last_cut,
            rounds_played,
            rounds_of_shoe,
            meter,
            pit,
        } = self
        else {
            return None;
        };
        if !retired.is_empty() {
            return None;
        }
        let mut lines = vec![format!("method {}", procedure.method)];
        lines.extend(dealer.iter().map(|name| format!("dealer {name}")));
        lines.extend(self.everyone().map(|(bettor, chair)| chair_line(bettor, chair)));
        for &bettor in stakes {
            let amounts = self.chair(bettor)?.wager.clone();
            lines.push(Input::Wager { bettor, amounts }.to_string());
        }
        lines.extend(gone.iter().map(|Gone { player, skipped }| match skipped {
            Some(rounds) => format!("gone {player} skipped {rounds}"),
            None => format!("gone {player}"),
        }));
        for (seat, names) in (1..).zip(consents) {
            lines.extend(names.iter().map(|name| format!("consent {seat} {name}")));
        }
        lines.push(format!("arrivals {arrivals}"));
        lines.push(format!("rounds {rounds_played} of-shoe {rounds_of_shoe}"));
        lines.push(format!("shoe {}", shoe_line(shoe)));
        lines.extend(stored.iter().map(|shoe| format!("stored {}", shoe_line(shoe))));
        lines.extend(burned.iter().map(|face| match face {
            Some(card) => format!("burned {card}"),
            None => "burned ??".to_owned(),
        }));
        lines.extend(faces.iter().map(|card| format!("face {card}")));
        lines.push(format!("shoes {shoes} next {next_batch}"));
        for (batch, is_unwashed) in [Batch::First, Batch::Second].iter().zip(unwashed) {
            lines.extend(is_unwashed.then(|| format!("unwashed {batch}")));
        }
        for (is_so, word) in [(unseen, "unseen"), (is_loaded, "loaded"), (decks_due, "decks-due")] {
            lines.extend(is_so.then(|| word.to_owned()));
        }
        lines.push(first_asked_line(*first_asked));
        lines.extend(last_cut.as_ref().map(last_cut_line));
        match meter {
            None => {}
            Some(meter) => lines.push(meter_line(meter)?),
        }
        lines.extend(pit.standing()?);
        Some(lines)
    }

    /// The table that stood so; none where the lines do not come from such a table.
    pub fn resumed<'a>(
        sheet: TermSheet,
        standing: impl IntoIterator<Item = &'a str>,
    ) -> Option<Table> {
        let mut table = Table::new(sheet);
        table.phase = Phase::Dealing;
        let lines: Vec<_> = standing.into_iter().collect();
        for line in &lines {
            table.stand(line)?;
        }
        let same = |written: Vec<String>| written.iter().eq(lines.iter());
        (table.is_whole() && table.standing().is_some_and(same)).then_some(table)
    }

    /// Whether every number can be, and every rack holds what is placed from it.
    fn is_whole(&self) -> bool {
        let fits = |shoe: &TableShoe| {
            let most = self.procedure.cards.min(shoe.size);
            let cut = shoe.cut.is_none_or(|cut| cut < shoe.size);
            let cut_card = shoe.cut_card_at.is_none_or(|at| at <= shoe.size);
            cut && cut_card && shoe.dealt <= most && shoe.burned <= shoe.dealt
        };
        let is_home = |(_, chair): (Bettor, &Chair)| {
            let home = self.chair(chair.home);
            let is_own = home.is_some_and(|home| home.player == chair.player);
            is_own && self.check_place(chair.home).is_ok() && chair.rack >= Cents::ZERO
        };
        self.shoe.is_some_and(|shoe| shoe.burned == self.burned.len())
            && self.shoe.iter().chain(&self.stored).all(fits)
            && self.gone.len() <= MOST_GONE
            && self.everyone().all(is_home)
            && self.everyone().all(|(bettor, _)| self.check_place(bettor).is_ok())
            && self.try_wagers(Bettor::at(0)).is_ok()
    }

    /// Reads one line.
    fn stand(&mut self, line: &str) -> Option<()> {
        let words: Vec<_> = line.split(' ').collect();
        match words[..] {
            ["method", method] => {
                self.procedure = Procedure::with(&self.sheet, read_method(method)?);
            }
            ["dealer", name] => self.dealer = Some(name.parse().ok()?),
            ["seat", bettor, player, ref rest @ ..] => {
                let chair = read_chair(player.parse().ok()?, rest)?;
                self.chairs[index(read_bettor(bettor)?)] = Some(chair);
            }
            ["wager", ..] => {
                let Ok(Input::Wager { bettor, amounts }) = line.parse() else { return None };
                self.chairs[index(bettor)].as_mut()?.wager = amounts;
                self.stakes.push(bettor);
            }
            ["gone", name, ref rest @ ..] => {
                let skipped = match *rest {
                    ["skipped", rounds] => Some(rounds.parse().ok()?),
                    [] => None,
                    _ => return None,
                };
                self.gone.push(Gone { player: name.parse().ok()?, skipped });
            }
            ["consent", seat, name] => self.consents[read_seat(seat)?].push(name.parse().ok()?),
            ["arrivals", number] => self.arrivals = number.parse().ok()?,
            ["rounds", rounds, "of-shoe", of_shoe] => {
                self.rounds_played = rounds.parse().ok()?;
                self.rounds_of_shoe = of_shoe.parse().ok()?;
            }
            ["shoe", ref shoe @ ..] => self.shoe = Some(read_shoe(shoe)?),
            ["stored", ref shoe @ ..] => self.stored = Some(read_shoe(shoe)?),
            ["burned", "??"] => self.burned.push(None),
            ["burned", card] => self.burned.push(Some(card.parse().ok()?)),
            ["face", card] => self.faces.push(card.parse::<Card>().ok()?),
            ["shoes", number, "next", batch] => {
                self.shoes = number.parse().ok()?;
                self.next_batch = read_batch(batch)?;
            }
            ["unwashed", batch] => self.unwashed[read_batch(batch)? as usize] = true,
            ["unseen"] => self.unseen = true,
            ["loaded"] => self.is_loaded = true,
            ["decks-due"] => self.decks_due = true,
            ["asked", ref rest @ ..] => self.first_asked = read_first_asked(rest)?,
            ["last-cut", by, "passed", ref passed @ ..] => {
                self.last_cut = Some(read_last_cut(by, passed)?);
            }
            ["meter", ref rest @ ..] => {
                let seed = casino_war::seed(&self.sheet);
                *self.meter.as_mut()? = read_meter(seed, rest)?;
            }
            ["pit", ref rest @ ..] => self.pit.stand(rest)?,
            _ => return None,
        }
        Some(())
    }
}

fn read_bettor(word: &str) -> Option<Bettor> {
    Words::new(word).place().ok()
}

fn read_seat(word: &str) -> Option<usize> {
    Words::new(word).seat().ok().map(usize::from)
}

fn chair_line(bettor: Bettor, chair: &Chair) -> String {
    let Chair { player, rack, home, wager: _, seated, arrival, skipped } = chair;
    format!(
        "seat {bettor} {player} rack {rack} at {home} {} arrival {arrival} skipped {}",
        if *seated { "seated" } else { "standing" },
        or_none(*skipped)
    )
}

fn read_chair(player: Name, words: &[&str]) -> Option<Chair> {
    let ["rack", rack, "at", home, seated, "arrival", arrival, "skipped", skipped] = *words else {
        return None;
    };
    Some(Chair {
        player,
        rack: rack.parse().ok()?,
        home: read_bettor(home)?,
        wager: Vec::new(),
        seated: read_either(seated, ["standing", "seated"])?,
        arrival: arrival.parse().ok()?,
        skipped: read_or_none(skipped)?,
    })
}

fn shoe_line(shoe: &TableShoe) -> String {
    let TableShoe { number, batch, seal, size, cut, dealt, burned, cut_card_at, .. } = *shoe;
    let TableShoe { refill, is_faulty, .. } = *shoe;
    format!(
        "{number} {batch} {} size {size} cut {} dealt {dealt} burned {burned} cut-card {} {} {} {}",
        Or(seal, "physical"),
        or_none(cut),
        or_none(cut_card_at),
        if shoe.cut_card_reached() { "reached" } else { "ahead" },
        if refill { "refill" } else { "whole" },
        if is_faulty { "faulty" } else { "sound" },
    )
}

fn read_shoe(words: &[&str]) -> Option<TableShoe> {
    let [number, batch, seal, "size", size, "cut", cut, "dealt", dealt, ref rest @ ..] = *words
    else {
        return None;
    };
    let ["burned", burned, "cut-card", cut_card_at, _, refill, faulty] = *rest else {
        return None;
    };
    Some(TableShoe {
        number: number.parse().ok()?,
        batch: read_batch(batch)?,
        seal: match seal {
            "physical" => None,
            seal => Some(seal.parse().ok()?),
        },
        size: size.parse().ok()?,
        cut: read_or_none(cut)?,
        dealt: dealt.parse().ok()?,
        burned: burned.parse().ok()?,
        cut_card_at: read_or_none(cut_card_at)?,
        refill: read_either(refill, ["whole", "refill"])?,
        is_faulty: read_either(faulty, ["sound", "faulty"])?,
    })
}

fn first_asked_line(asked: FirstAsked) -> String {
    match asked {
        FirstAsked::FirstArrival => "asked first-arrival".to_owned(),
        FirstAsked::Seat(seat) => format!("asked seat {}", seat + 1),
        FirstAsked::FarRight => "asked far-right".to_owned(),
        FirstAsked::After(seat) => format!("asked after {}", seat + 1),
    }
}

fn read_first_asked(words: &[&str]) -> Option<FirstAsked> {
    Some(match *words {
        ["first-arrival"] => FirstAsked::FirstArrival,
        ["seat", seat] => FirstAsked::Seat(read_seat(seat)?),
        ["far-right"] => FirstAsked::FarRight,
        ["after", seat] => FirstAsked::After(read_seat(seat)?),
        _ => return None,
    })
}

fn last_cut_line(cutting: &Cutting) -> String {
    let Cutting { asked, passed } = cutting;
    let mut line = format!("last-cut {asked} passed");
    passed.iter().for_each(|bettor| line += &format!(" {bettor}"));
    line
}

fn read_last_cut(by: &str, passed: &[&str]) -> Option<Cutting> {
    let asked = Cutter::read(&mut Words::new(by)).ok()?;
    let passed = passed.iter().map(|bettor| read_bettor(bettor)).collect::<Option<_>>()?;
    Some(Cutting { asked, passed })
}

/// A meter that a round has hit waits for the end of that round.
fn meter_line(meter: &TableMeter) -> Option<String> {
    match meter {
        TableMeter::Own(meter) => {
            let Figures { seeded, contributed, awarded, awards, restored, resets, overflow } =
                meter.figures();
            Some(format!(
                "meter own seeded {seeded} contributed {contributed} awarded {awarded} in {awards} \
                 restored {restored} in {resets} overflow {overflow}"
            ))
        }
        TableMeter::Shared { shows, hit: false } => Some(format!("meter shared {shows}")),
        TableMeter::Shared { hit: true, .. } => None,
    }
}

fn read_meter(seed: Cents, words: &[&str]) -> Option<TableMeter> {
    let read = |word: &str| word.parse::<Cents>().ok().filter(|amount| *amount >= Cents::ZERO);
    Some(match *words {
        ["shared", shows] => TableMeter::Shared { shows: read(shows)?, hit: false },
        [
            "own",
            "seeded",
            seeded,
            "contributed",
            contributed,
            "awarded",
            awarded,
            "in",
            awards,
            ref rest @ ..,
        ] => {
            let ["restored", restored, "in", resets, "overflow", overflow] = *rest else {
                return None;
            };
            let figures = Figures {
                seeded: read(seeded)?,
                contributed: read(contributed)?,
                awarded: read(awarded)?,
                awards: awards.parse().ok()?,
                restored: read(restored)?,
                resets: resets.parse().ok()?,
                overflow: read(overflow)?,
            };
            TableMeter::Own(Meter::resumed(seed, figures)?)
        }
        _ => return None,
    })
}

fn read_method(word: &str) -> Option<Method> {
    let methods = [Method::Manual, Method::Machine, Method::Continuous];
    methods.into_iter().find(|method| method.to_string() == word)
}

fn read_batch(word: &str) -> Option<Batch> {
    [Batch::First, Batch::Second].into_iter().find(|batch| batch.to_string() == word)
}

fn or_none<T: ToString>(number: Option<T>) -> String {
    number.map_or_else(|| NONE.to_owned(), |number| number.to_string())
}

fn read_or_none<T: std::str::FromStr>(word: &str) -> Option<Option<T>> {
    match word {
        NONE => Some(None),
        number => Some(Some(number.parse().ok()?)),
    }
}

/// Whether a word is the second of two.
fn read_either(word: &str, [no, yes]: [&str; 2]) -> Option<bool> {
    match word == yes {
        true => Some(true),
        false => (word == no).then_some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wager::Game;

    fn table(game: Game, terms: &[(&str, &str)], lines: &[&str]) -> Table {
        let mut sheet = TermSheet::new(game);
        sheet.set(terms.iter().copied()).unwrap();
        let mut table = Table::new(sheet);
        for line in lines {
            table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
        }
        table
    }

    fn read(table: &Table, lines: &[String]) -> Option<Table> {
        Table::resumed(table.sheet().clone(), lines.iter().map(String::as_str))
    }

    #[test]
    fn a_standing_says_all_and_nothing_else_is_read() {
        let seal = "5c".repeat(32);
        let shuffle = format!("shuffle {seal} wash plug riffle riffle strip turn riffle cut");
        let opened = ["sit 7 bob", "sit 2 ann", "buy-in 2 100", "inspect 7", &shuffle, "mix"];
        let mut table = table(Game::CasinoWar, &[], &opened);
        assert_eq!(table.standing(), None);
        for line in ["cut 7 60", "card ??", "wager 2 main 10 tie 5"] {
            table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
        }
        let standing = table.standing().unwrap();
        let shoe = format!(
            "shoe 1 first {seal} size 312 cut 60 dealt 1 burned 1 cut-card 234 ahead whole sound"
        );
        assert_eq!(
            standing,
            [
                "method manual",
                "seat 2 ann rack 100 at 2 seated arrival 1 skipped 0",
                "seat 7 bob rack 0 at 7 seated arrival 0 skipped 0",
                "wager 2 main 10 tie 5",
                "arrivals 2",
                "rounds 0 of-shoe 0",
                &shoe,
                "burned ??",
                "shoes 1 next first",
                "unwashed second",
                "asked first-arrival",
                "last-cut 7 passed",
                "meter own seeded 10000 contributed 0 awarded 0 in 0 restored 0 in 0 overflow 0",
                "pit found 0 0 0 0",
            ]
        );
        assert_eq!(read(&table, &standing).unwrap(), table);
        for missing in 0..standing.len() {
            let mut lines = standing.clone();
            let line = lines.remove(missing);
            // An empty seat and a wager that was never placed have no line.
            let optional = ["seat 7", "wager", "unwashed", "last-cut"];
            let may_be_missing = optional.iter().any(|start| line.starts_with(start));
            assert_eq!(read(&table, &lines).is_some(), may_be_missing, "{line}");
            lines.insert(missing, format!("{line} "));
            assert_eq!(read(&table, &lines), None, "{line}");
        }
        for (known, wrong) in [
            ("dealt 1 ", "dealt 313 "),
            ("cut 60", "cut 312"),
            ("rack 100", "rack 14"),
            ("main 10", "main 1"),
            ("seat 7", "seat 8"),
            ("at 7", "at 2"),
            ("seeded 10000", "seeded -1"),
        ] {
            let lines: Vec<_> = standing.iter().map(|line| line.replace(known, wrong)).collect();
            assert_ne!(lines, standing);
            assert_eq!(read(&table, &lines), None, "{wrong}");
        }
    }

    #[test]
    fn boxes_batches_dealers_and_what_the_pit_knows_stand_in_it() {
        let seal = "5c".repeat(32);
        let shared = table(
            Game::DoubleAttack,
            &[("max_bettors_per_box", "2"), ("max_boxes_per_player", "2")],
            &[
                "sit 3 ann",
                "consent 3 bob",
                "sit 3b bob",
                "sit 4 ann",
                "buy-in 4 100",
                "buy-in 3b 50",
                "inspect 3",
                "shuffle physical wash plug riffle riffle strip turn riffle cut",
                "cut 3 60",
                "card ??",
                "dealer eve",
                "card ??",
                "wager 3b main 10",
                "wager 4 main 10",
            ],
        );
        let two = format!("shuffle {seal} wash machine");
        let batches = table(
            Game::FreeBet,
            &[("shuffle_method", "automated")],
            &["sit 1 ann", "buy-in 1 100", "inspect 1", &two, "mix", "cut 1 60", "card ??", &two],
        );
        let meter = table(
            Game::CasinoWar,
            &[],
            &[
                "meter 12000",
                "sit 1 ann",
                "buy-in 1 100",
                "inspect 1",
                "shuffle physical wash plug riffle riffle strip turn riffle cut",
                "cut 1 60",
                "card ??",
                "wager 1 main 10",
                "deal",
                "report face-up 2c by dealer",
                "order discard by eve",
                "card 9d",
                "card 4c",
            ],
        );
        let shared_lines = shared.standing().unwrap();
        for line in [
            "dealer eve",
            "consent 3 bob",
            "seat 3b bob rack 50 at 3b standing arrival 1 skipped 0",
            "seat 4 ann rack 0 at 3 seated arrival 2 skipped 0",
        ] {
            assert!(shared_lines.iter().any(|other| other == line), "{line}: {shared_lines:?}");
        }
        assert!(batches.standing().unwrap().iter().any(|line| line.starts_with("stored 2 second")));
        assert!(meter.standing().unwrap().contains(&"meter shared 12000".to_owned()));
        assert!(meter.standing().unwrap().contains(&"pit found 1 0 1 0".to_owned()));
        for mut table in [shared, batches, meter] {
            let resumed = read(&table, &table.standing().unwrap());
            table.last = None;
            assert_eq!(resumed, Some(table));
        }
    }
}
