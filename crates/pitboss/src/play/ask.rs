//! The moments when the player has to decide: the felt, the question, the answer, the help.

use std::io::{self, BufRead, Write};

use rules::card::Rank;
use rules::games::AnyRound;
use rules::games::blackjack::Points;
use rules::games::double_down_stud::Category;
use rules::money::Cents;
use rules::round::{Act, Call, Event, Round};
use rules::wager::{Bettor, Circle, Game, Opening, PROGRESSIVE_UNIT, ProgressiveStakes};

use super::act;
use super::draw::{self, Group};
use super::felt::{Felt, FeltCard, Hand, Stake};
use super::guide;
use super::house_player;
use super::input::{Entry, Topic};
use super::results;
use super::sitting::{CurrentRound, Ears, Sitting};
use super::wager;
use crate::text::{Ink, Text, grouped};

impl<R: BufRead, W: Write> Sitting<'_, R, W> {
    /// Asks the player until a decision is one that the rules take.
    pub(super) fn ask(&mut self, playing: &mut CurrentRound) -> io::Result<Act> {
        let (bettor, game) = (self.bettor(), self.sheet.game());
        let round = playing.round;
        self.show_and_ask(playing)?;
        loop {
            self.screen.offer(&act::offered(&round, bettor))?;
            let said = match self.input.read(self.screen)? {
                Some(line) => Entry::read(&line),
                None => Entry::Quit,
            };
            match said {
                Entry::Words(words) => match act::read(&words, round.offers(bettor), game) {
                    Ok(act) => match { round }.act(bettor, act, &mut ()) {
                        Ok(()) => return Ok(act),
                        Err(refusal) => self.screen.say(&self.refused(refusal))?,
                    },
                    Err(sentence) => self.screen.say(&sentence)?,
                },
                Entry::Nothing => {
                    self.screen.say("Type one of the letters in brackets, and press Enter.")?;
                }
                Entry::Help(Topic::Here) => {
                    self.act_help(&round)?;
                    self.put_question(playing)?;
                }
                Entry::Quit => {
                    self.has_left = true;
                    self.screen
                        .say("You leave; the round is finished without further wagers (G-06).")?;
                    return Ok(Act::Call(house_player::without_money(&round, bettor)));
                }
                said => self.answer(&said)?,
            }
        }
    }

    fn show_and_ask(&mut self, playing: &mut CurrentRound) -> io::Result<()> {
        self.show(playing)?;
        self.put_question(playing)
    }

    fn put_question(&mut self, playing: &CurrentRound) -> io::Result<()> {
        self.screen.blank()?;
        self.screen.say(&question(&playing.round, &playing.ears, self.seating.me))?;
        let Some(coach) = &self.coach else { return Ok(()) };
        let heard = &playing.ears.heard;
        let lines = coach.advice(&self.sheet, &playing.round, self.bettor(), heard);
        lines.iter().try_for_each(|line| self.screen.line(line))
    }

    /// What has happened since, and how the table looks now.
    pub(super) fn show(&mut self, playing: &mut CurrentRound) -> io::Result<()> {
        self.screen.blank()?;
        let sentences = playing.voice.speak();
        for sentence in &sentences {
            self.screen.say(sentence)?;
        }
        if !sentences.is_empty() {
            self.screen.blank()?;
        }
        let width = self.screen.width();
        for line in table(&playing.round, &playing.ears.felt, self.seating.me, width) {
            self.screen.line(&line)?;
        }
        self.screen_strip(&playing.ears.felt)
    }

    /// The other boxes, two in a line.
    fn screen_strip(&mut self, felt: &Felt) -> io::Result<()> {
        let has_points = self.sheet.game().is_blackjack();
        let has_cards = |seat: &&usize| felt.hands(**seat).iter().any(|h| !h.cards.is_empty());
        let boxes = self.seating.others.iter().filter(has_cards);
        let half = self.screen.width() / 2;
        let mut line = Text::new();
        for text in boxes.map(|&seat| one_box(seat, felt, has_points)) {
            if line.width() > 0 && (line.width() > half || text.width() > half) {
                self.screen.line(&std::mem::take(&mut line))?;
            }
            let is_second = line.width() > 0;
            line.pad_to(if is_second { half } else { 2 });
            line.append(text);
            if is_second {
                self.screen.line(&std::mem::take(&mut line))?;
            }
        }
        if line.width() > 0 { self.screen.line(&line) } else { Ok(()) }
    }

    // Help

    /// What can be wagered here, and why something cannot.
    pub(super) fn wager_help(&mut self) -> io::Result<()> {
        self.screen.heading("Your wager")?;
        let Opening { main_min, main_max, chip_unit, .. } = self.opening;
        let limits = format!("from {main_min} to {main_max}, in multiples of {chip_unit}");
        self.screen.item("  main", 16, &limits)?;
        for circle in [Circle::Tie, Circle::Progressive, Circle::Bonus, Circle::Push22] {
            if let Some(words) = self.about_circle(circle) {
                self.screen.item(&format!("  {circle}"), 16, &words)?;
            }
        }
        let example = wager::in_words(&wager::example(&self.opening));
        self.screen.say(&format!(
            "Type it like this: {example}. Enter alone repeats the last wager, or places the \
             smallest one."
        ))?;
        self.keys()
    }

    /// The limits of a side wager, or why there is none; nothing about other games' circles.
    fn about_circle(&self, circle: Circle) -> Option<String> {
        let is_own = wager::circles(&self.opening).contains(&circle);
        if !is_own && !self.sheet.game().book().forbids_side_wagers {
            return None;
        }
        if !is_own || !guide::is_offered(&self.opening, circle) {
            let main: Cents = wager::least(&self.opening).into();
            let refusal = self.opening.check(&[(Circle::Main, main), (circle, main)]).err()?;
            return Some(format!("not possible: {}", refusal.in_words(self.sheet.game())));
        }
        match (self.opening.side, self.opening.progressive) {
            (Some(side), _) if side.circle == circle => {
                let cap = if side.up_to_main { ", never above the main wager" } else { "" };
                Some(format!("from {} to {}{cap}", side.min, side.max))
            }
            (_, Some(ProgressiveStakes::Five)) => Some(format!("exactly {PROGRESSIVE_UNIT}")),
            _ => Some(format!("{PROGRESSIVE_UNIT} or a multiple of it")),
        }
    }

    /// What the player can do, and why other usual decisions are not possible.
    fn act_help(&mut self, round: &AnyRound) -> io::Result<()> {
        let bettor = self.bettor();
        self.screen.heading("You can")?;
        for call in round.offers(bettor).iter() {
            self.screen.item(&format!("  {call}"), 16, &self.about(round, call))?;
        }
        let closed = act::closed(round, bettor);
        if !closed.is_empty() {
            self.screen.heading("Not possible now")?;
            for (call, why) in closed {
                self.screen.item(&format!("  {call}"), 16, &why)?;
            }
        }
        self.keys()
    }

    fn keys(&mut self) -> io::Result<()> {
        self.screen.blank()?;
        self.screen.say(
            "At any time: ?? for the rules, ? pays for the pay table, r ID for a clause, ruling or \
             house option, t for the transcript of the last round, burn for the burn card, q to \
             leave.",
        )
    }

    /// What a decision does.
    fn about(&self, round: &AnyRound, call: Call) -> String {
        let bettor = self.bettor();
        let is_free = act::is_free(round, bettor, call);
        let words = match (call, round.game()) {
            (Call::Hit, _) => "one more card",
            (Call::Stand, _) => return self.after_standing(round),
            (Call::Double, game) if !game.is_blackjack() => "adds to your wager",
            (Call::Double, _) if is_free => "exactly one more card; the house places a lammer",
            (Call::Double, _) => "exactly one more card, for an added wager",
            (Call::Split, _) if is_free => {
                "makes two hands; the house places a lammer on the new one"
            }
            (Call::Split, _) => "makes two hands of the pair, each with its own wager",
            (Call::Surrender, _) => "gives up half of the wager and keeps the rest",
            (Call::War, _) => "doubles your wager, and one more card each decides",
            (Call::Attack, _) => "adds to your wager now that you have seen the dealer's card",
            (Call::Insure, _) => "bets that the dealer has a blackjack",
            (Call::EvenMoney, _) => "takes even money for your blackjack now",
            (Call::Pass, _) => "adds nothing",
        };
        match (act::with_amount(round, bettor, call), call) {
            (Some(typed), Call::War) => format!("{words}; {typed} also bets on another tie"),
            (Some(typed), _) => format!("{words}; {typed} for less"),
            (None, _) => words.to_owned(),
        }
    }

    /// What comes when the player takes no more cards.
    fn after_standing(&self, round: &AnyRound) -> String {
        let me = self.seating.me;
        let hand = round.current_hand(me).map_or(1, |hand| hand + 1);
        let next = match self.seating.others.iter().any(|&seat| seat > me) {
            _ if hand < round.hands(me) => format!("hand {} is next", hand + 1),
            true => "the boxes after yours are next, then the dealer".to_owned(),
            false => "the dealer is next".to_owned(),
        };
        format!("no more cards for this hand; {next}")
    }
}

/// The dealer's question to the player.
fn question(round: &AnyRound, ears: &Ears, me: usize) -> String {
    let felt = &ears.felt;
    let open = round.offers(Bettor::at(me));
    let up = felt.dealer.cards.iter().find_map(|card| match card {
        FeltCard::Open(card) => Some(card.rank()),
        _ => None,
    });
    let shows =
        up.map(|rank| format!("The dealer shows {}.", with_article(rank))).unwrap_or_default();
    match round.game() {
        Game::CasinoWar => {
            let won = tie_won(&ears.heard, me);
            let won =
                won.map(|gain| format!(" Your tie wager has won {gain}.")).unwrap_or_default();
            match open.contains(Call::War) {
                true => format!("A tie.{won} War or surrender?"),
                false => format!("A tie.{won} You have too few chips for a war. Surrender?"),
            }
        }
        Game::DoubleDownStud => {
            let cards = felt.faces(me);
            let ranks: Vec<Rank> = cards.iter().map(|card| card.rank()).collect();
            let made = match results::made_so_far(&cards) {
                Category::Nothing => "no pair".to_owned(),
                category => results::poker_hand(category, &ranks),
            };
            format!("One shared card is still face down; so far you have {made}. Double or pass?")
        }
        game if !game.is_blackjack() => {
            let calls: Vec<_> = open.iter().map(Call::name).collect();
            format!("{shows} Your call: {}?", calls.join(" or "))
        }
        _ if open.contains(Call::EvenMoney) => format!("{shows} Insurance or even money?"),
        _ if open.contains(Call::Attack) => format!("{shows} Double attack?"),
        _ if open.contains(Call::Pass) && up == Some(Rank::Ace) && has_two_cards(felt, me) => {
            format!("{shows} Insurance?")
        }
        _ if open.contains(Call::Pass) => format!("{shows} You have no chips left to add. Pass?"),
        _ => {
            let hands = felt.hands(me);
            let at = round.current_hand(me).unwrap_or(0);
            let total = hands.get(at).and_then(|hand| hand.points(true)).map(in_words);
            let which = match hands.len() {
                0 | 1 => "You have".to_owned(),
                n => format!("Hand {} of {n} has", at + 1),
            };
            format!("{shows} {which} {}.", total.unwrap_or_default())
        }
    }
}

/// What the wager on the first tie has won already.
fn tie_won(heard: &[Event], me: usize) -> Option<Cents> {
    heard.iter().find_map(|event| match event {
        Event::Settled(settled)
            if settled.circle == Circle::Tie && settled.bettor == Bettor::at(me) =>
        {
            Some(settled.gain)
        }
        _ => None,
    })
}

fn has_two_cards(felt: &Felt, me: usize) -> bool {
    felt.hands(me).first().is_some_and(|hand| hand.cards.len() == 2)
}

fn with_article(rank: Rank) -> String {
    let article = if matches!(rank, Rank::Ace | Rank::Eight) { "an" } else { "a" };
    format!("{article} {}", rank.name())
}

/// `soft 17`, `16`, `26, bust`.
fn in_words(points: Points) -> String {
    match (points.is_soft(), points.is_bust()) {
        (true, _) => format!("soft {}", points.total()),
        (_, true) => format!("{}, bust", points.total()),
        _ => points.total().to_string(),
    }
}

/// The dealer's cards and the player's, drawn.
fn table(round: &AnyRound, felt: &Felt, me: usize, width: usize) -> Vec<Text> {
    let game = round.game();
    let dealer = Group {
        title: dealer_title(felt, game),
        cards: felt.dealer.cards.clone(),
        caption: String::new(),
        own: false,
    };
    let hands = felt.hands(me);
    let own = hands.iter().enumerate().map(|(i, hand)| {
        let is_current = hands.len() > 1 && round.current_hand(me) == Some(i);
        let mark = if is_current { "▸ " } else { "" };
        let who = match hands.len() {
            1 => "You".to_owned(),
            _ => format!("{mark}Hand {}", i + 1),
        };
        let title = match own_words(round, felt, me, hand) {
            Some(words) => format!("{who} · {words}"),
            None => who,
        };
        Group { title, cards: hand.cards.clone(), caption: staked(&hand.stakes), own: true }
    });
    let groups: Vec<Group> = [dealer].into_iter().chain(own).collect();
    draw::side_by_side(&groups, width)
}

fn dealer_title(felt: &Felt, game: Game) -> String {
    let open: Vec<_> = felt.dealer.cards.iter().filter(|&&card| card != FeltCard::Down).collect();
    match game {
        Game::DoubleDownStud => "Shared cards".to_owned(),
        _ if !game.is_blackjack() || open.is_empty() => "Dealer".to_owned(),
        _ => {
            let cards = open.into_iter().copied().collect();
            let hand = Hand { cards, stakes: Vec::new() };
            let total = hand_in_words(&hand, true).unwrap_or_default();
            format!("Dealer · {total}")
        }
    }
}

/// What the player's own hand is worth.
fn own_words(round: &AnyRound, felt: &Felt, me: usize, hand: &Hand) -> Option<String> {
    match round.game() {
        Game::DoubleDownStud => {
            let cards = [&hand.cards[..], &felt.dealer.cards[..]].concat();
            let seen = Hand { cards, stakes: Vec::new() }.seen(true)?;
            let ranks: Vec<Rank> = seen.iter().map(|card| card.rank()).collect();
            round.category(me).map(|category| results::poker_hand(category, &ranks))
        }
        game if game.is_blackjack() => hand_in_words(hand, felt.hands(me).len() == 1),
        _ => None,
    }
}

/// The points, or a blackjack where the hand can be one.
fn hand_in_words(hand: &Hand, can_be_blackjack: bool) -> Option<String> {
    let points = hand.points(true)?;
    Some(if can_be_blackjack && hand.is_natural(true) {
        "blackjack".to_owned()
    } else {
        in_words(points)
    })
}

/// What lies on a hand: `main 10, double 10 free`.
fn staked(stakes: &[Stake]) -> String {
    let word = |stake: &Stake| {
        let free = if stake.is_free { " free" } else { "" };
        format!("{} {}{free}", stake.circle, stake.amount)
    };
    grouped(&stakes.iter().map(word).collect::<Vec<_>>().join(", "))
}

/// Another box in one line.
fn one_box(seat: usize, felt: &Felt, has_points: bool) -> Text {
    let mut text = Text::new().with(Ink::Faint, format!("Box {}  ", seat + 1));
    for (i, hand) in felt.hands(seat).iter().enumerate() {
        text.add(Ink::Plain, if i == 0 { "" } else { " | " });
        text.append(draw::in_a_line(&hand.cards, false));
        if let Some(points) = hand.points(false).filter(|_| has_points) {
            text.add(Ink::Plain, format!("  {}", in_words(points)));
        }
    }
    text
}
