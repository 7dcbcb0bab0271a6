//! One player's sitting at a table: wagers, rounds, the rack, and the farewell.

use std::io::{self, BufRead, Write};

use ::odds::review::Opening as OpeningWagers;
use rand_chacha::ChaCha20Rng;
use rules::card::Card;
use rules::games::{self, AnyRound, TableWagers, casino_war};
use rules::money::{Cents, Chips};
use rules::notation::Line;
use rules::refusal::Refusal;
use rules::round::{Act, Awaits, Event, Place, Record, Round, Statement};
use rules::shoe;
use rules::terms::{Term, TermSheet};
use rules::transcript::{Transcript, Writer};
use rules::wager::{Bettor, Bettors, Circle, Game, Opening};

use super::act;
use super::coach::Coach;
use super::custody::Custody;
use super::felt::Felt;
use super::guide;
use super::house_player;
use super::input::{Entry, Input, Topic, rule_in_words};
use super::results;
use super::voice::Voice;
use super::wager::{self, Amounts};
use crate::procedures;
use crate::screen::Screen;

/// Who sits where, counted from 0.
pub(crate) struct Seating {
    pub(crate) me: usize,
    pub(crate) others: Vec<usize>,
}

/// A player at a table, from the first chip to the last.
pub(crate) struct Sitting<'a, R, W> {
    pub(super) sheet: TermSheet,
    pub(super) opening: Opening,
    pub(super) seating: Seating,
    pub(super) input: &'a mut Input<R>,
    pub(super) screen: &'a mut Screen<W>,
    pub(super) coach: Option<Coach>,
    custody: Custody,
    /// What a refill is, and what has been brought so far.
    bankroll: Cents,
    brought: Cents,
    rack: Cents,
    meter: Option<Cents>,
    rounds: u64,
    last_wager: Option<Amounts>,
    last_round: Option<Transcript>,
    /// Whether the player has left; what is under way is finished without new money (G-06).
    pub(super) has_left: bool,
}

/// What listens to a round.
#[derive(Default)]
pub(crate) struct Ears {
    pub(crate) felt: Felt,
    statement: Statement,
    pub(crate) heard: Vec<Event>,
}

impl Record for Ears {
    fn note(&mut self, event: Event) {
        self.felt.note(event);
        self.statement.note(event);
        self.heard.push(event);
    }
}

/// A round under way.
pub(crate) struct CurrentRound {
    pub(crate) round: AnyRound,
    pub(crate) ears: Ears,
    pub(crate) voice: Voice,
    writer: Writer,
    hole: Option<Card>,
    /// How many events have been told.
    told: usize,
}

impl CurrentRound {
    /// Tells the voice what is new.
    fn tell(&mut self) {
        for event in &self.ears.heard[self.told..] {
            self.voice.hear(event, &self.ears.felt);
        }
        self.told = self.ears.heard.len();
    }
}

impl<'a, R: BufRead, W: Write> Sitting<'a, R, W> {
    pub(crate) fn new(
        sheet: TermSheet,
        seating: Seating,
        bankroll: Cents,
        (chance, coach): (ChaCha20Rng, Option<Coach>),
        input: &'a mut Input<R>,
        screen: &'a mut Screen<W>,
    ) -> Self {
        let opening = games::opening(&sheet);
        let meter =
            guide::is_offered(&opening, Circle::Progressive).then(|| casino_war::seed(&sheet));
        Sitting {
            opening,
            coach,
            custody: Custody::new(&sheet, chance),
            sheet,
            seating,
            input,
            screen,
            bankroll,
            brought: bankroll,
            rack: bankroll,
            meter,
            rounds: 0,
            last_wager: None,
            last_round: None,
            has_left: false,
        }
    }

    /// Plays until the player leaves.
    pub(crate) fn run(&mut self) -> io::Result<()> {
        self.welcome()?;
        while !self.has_left {
            if let Some(news) = self.custody.prepare() {
                self.screen.blank()?;
                self.screen.say(&news)?;
            }
            if let Some(coach) = self.coach.as_mut().filter(|_| self.custody.is_shuffled()) {
                coach.forget();
            }
            match self.take_wager()? {
                Some(amounts) => self.play_round(amounts)?,
                None => self.has_left = true,
            }
        }
        self.farewell()
    }

    pub(super) fn bettor(&self) -> Bettor {
        Bettor::at(self.seating.me)
    }

    fn welcome(&mut self) -> io::Result<()> {
        self.screen.heading(self.sheet.game().title())?;
        self.screen.points(guide::in_brief(self.sheet.game()))?;
        self.screen
            .say("At any time, type ? for help, ?? for the rules, ? pays for the pay table.")?;
        self.house_options()?;
        if !self.seating.others.is_empty() {
            let boxes: Vec<_> =
                self.seating.others.iter().map(|seat| (seat + 1).to_string()).collect();
            let word = if boxes.len() == 1 { "box" } else { "boxes" };
            let (me, boxes) = (self.seating.me + 1, boxes.join(", "));
            self.screen.say(&format!(
                "You are at box {me}. The house plays {word} {boxes} and bets {} on each.",
                wager::least(&self.opening)
            ))?;
        }
        Ok(())
    }

    /// What the house has set, and what of it is about procedures that are not here.
    fn house_options(&mut self) -> io::Result<()> {
        let (kept, obeyed): (Vec<_>, Vec<_>) =
            self.sheet.chosen().partition(|(term, _)| procedures::is_not_in_play(term));
        let list = |chosen: &[(&Term, &str)]| {
            let words = chosen.iter().map(|(term, value)| format!("{}={value}", term.key));
            words.collect::<Vec<_>>().join(", ")
        };
        let (kept_count, kept, obeyed) = (kept.len(), list(&kept), list(&obeyed));
        if !obeyed.is_empty() {
            self.screen.say(&format!("The house has set {obeyed}."))?;
        }
        let (has, concerns) = match kept_count {
            0 => return Ok(()),
            1 => ("has", "it concerns"),
            _ => ("have", "they concern"),
        };
        self.screen.say(&format!(
            "{kept} {has} no effect here: {concerns} the table's procedures, which `play` does not \
             have."
        ))
    }

    fn farewell(&mut self) -> io::Result<()> {
        let net = self.rack - self.brought;
        let rounds = match self.rounds {
            0 => "no round".to_owned(),
            1 => "1 round".to_owned(),
            n => format!("{n} rounds"),
        };
        self.screen.blank()?;
        self.screen.say(&format!(
            "You played {rounds}, brought {} and leave with {}: {net:+}. Goodbye.",
            self.brought, self.rack
        ))?;
        match self.coach.as_ref().and_then(Coach::farewell) {
            Some(sentence) => self.screen.say(&sentence),
            None => Ok(()),
        }
    }

    // Wagers

    /// Asks for a wager that the table takes; none where the player leaves.
    fn take_wager(&mut self) -> io::Result<Option<Amounts>> {
        let mut is_new = true;
        loop {
            if self.rack < wager::least(&self.opening).into() {
                if !self.refill()? {
                    return Ok(None);
                }
                continue;
            }
            if std::mem::take(&mut is_new) {
                self.status()?;
            }
            let usual = self.usual_wager();
            let enter = format!("[Enter] {}", wager::in_words(&usual));
            let help = act::HELP.map(str::to_owned);
            self.screen.offer(&[&[self.invitation(), enter][..], &help].concat())?;
            let Some(line) = self.input.read(self.screen)? else { return Ok(None) };
            let amounts = match Entry::read(&line) {
                Entry::Nothing => Ok(usual),
                Entry::Words(words) => wager::read(&words, &self.opening),
                Entry::Quit => return Ok(None),
                Entry::Help(Topic::Here) => {
                    self.wager_help()?;
                    continue;
                }
                said => {
                    self.answer(&said)?;
                    continue;
                }
            };
            match amounts.and_then(|amounts| self.check(&amounts).map(|()| amounts)) {
                Ok(amounts) => return Ok(Some(amounts)),
                Err(sentence) => self.screen.say(&sentence)?,
            }
        }
    }

    /// What the table holds at this moment, in one line.
    fn status(&mut self) -> io::Result<()> {
        let mut parts = vec![format!("Round {}", self.rounds + 1), format!("rack {}", self.rack)];
        if let Some(cards) = self.custody.before_cut_card() {
            parts.push(format!("{cards} cards to the cut card"));
        }
        if let Some(meter) = self.meter {
            parts.push(format!("meter {meter}"));
        }
        self.screen.heading(&parts.join(" · "))
    }

    fn invitation(&self) -> String {
        let example = match wager::example(&self.opening) {
            sides if sides.len() > 1 => format!(", or {}", wager::in_words(&sides)),
            _ => String::new(),
        };
        let (least, most) = (wager::least(&self.opening), self.most_main());
        format!("Wager {least} to {most}{example}?")
    }

    /// The largest main wager that table, chips and rack allow.
    pub(super) fn most_main(&self) -> Chips {
        let Opening { main_max, chip_unit, .. } = self.opening;
        let rack = Chips::from_cents(self.rack).unwrap_or(main_max);
        let most = main_max.min(rack).get();
        Chips::new(most - most % chip_unit.get())
    }

    fn least_main(&self) -> Cents {
        wager::least(&self.opening).into()
    }

    /// The last wager where the rack still has it, else the smallest.
    fn usual_wager(&self) -> Amounts {
        let last = self.last_wager.clone().filter(|amounts| self.check(amounts).is_ok());
        last.unwrap_or_else(|| vec![(Circle::Main, self.least_main())])
    }

    fn check(&self, amounts: &[(Circle, Cents)]) -> Result<(), String> {
        self.wagers(amounts).map(|_| ()).map_err(|refusal| self.refused(refusal))
    }

    pub(super) fn refused(&self, refusal: Refusal) -> String {
        format!("Refused: {}.", refusal.in_words(self.sheet.game()))
    }

    /// Everyone's wagers, or why the player's are refused.
    fn wagers(&self, amounts: &[(Circle, Cents)]) -> Result<TableWagers, Refusal> {
        let mut wagers = TableWagers::NONE;
        wagers.bankroll(self.bettor(), self.rack)?;
        if let Some(meter) = self.meter {
            wagers.set_meter(meter);
        }
        for &seat in &self.seating.others {
            wagers.place(&self.opening, Bettor::at(seat), &[(Circle::Main, self.least_main())])?;
        }
        wagers.place(&self.opening, self.bettor(), amounts)?;
        Ok(wagers)
    }

    /// Out of chips: more of them, or farewell.
    fn refill(&mut self) -> io::Result<bool> {
        let least = wager::least(&self.opening);
        self.screen.blank()?;
        self.screen
            .say(&format!("You have {} left, and the smallest wager is {least}.", self.rack))?;
        loop {
            let more = self.bankroll.max(least.into());
            let buy = format!("[b]uy chips for {more}");
            self.screen.offer(&[buy.as_str(), "[t]ranscript", "[?] help", "[q]uit"])?;
            let Some(line) = self.input.read(self.screen)? else { return Ok(false) };
            match Entry::read(&line) {
                Entry::Quit => return Ok(false),
                Entry::Words(words) if matches!(words[..], [ref w] if w == "b" || w == "buy") => {
                    self.rack += more;
                    self.brought += more;
                    return Ok(true);
                }
                Entry::Help(Topic::Here) => {
                    self.screen.say(&format!(
                        "b adds another {more} of play money to your rack, as often as you like; \
                         the total is shown when you leave. t shows the transcript of the last \
                         round, and q leaves the table."
                    ))?;
                }
                Entry::Nothing | Entry::Words(_) => {
                    self.screen.say("Type b to buy more chips, or q to leave.")?;
                }
                said => self.answer(&said)?,
            }
        }
    }

    // The round

    fn play_round(&mut self, amounts: Amounts) -> io::Result<()> {
        let wagers = self.wagers(&amounts).expect("the wager has been checked");
        let mut playing = self.start(&wagers, &amounts);
        self.last_wager = Some(amounts);
        self.rounds += 1;
        loop {
            match playing.round.awaits() {
                Awaits::Nobody => break,
                Awaits::Acts(bettors) => self.take_act(&mut playing, bettors)?,
                awaits => self.deal(&mut playing, awaits),
            }
            playing.tell();
        }
        self.settle(playing, &wagers)
    }

    fn start(&self, wagers: &TableWagers, amounts: &[(Circle, Cents)]) -> CurrentRound {
        let mut writer = Writer::new(&self.sheet);
        writer.line(Line::Bankroll(self.bettor(), self.rack));
        if let Some(meter) = self.meter {
            writer.line(Line::Meter(meter));
        }
        for bettor in wagers.bettors() {
            let amounts = match bettor == self.bettor() {
                true => amounts.to_vec(),
                false => vec![(Circle::Main, self.least_main())],
            };
            writer.line(Line::Wager { bettor, amounts });
        }
        let mut ears = Ears::default();
        let round = AnyRound::start(&self.sheet, wagers, &mut ears);
        let voice = Voice::new(self.sheet.game(), self.seating.me);
        CurrentRound { round, ears, voice, writer, hole: None, told: 0 }
    }

    /// Gives the round the card or the answer that it waits for.
    fn deal(&mut self, playing: &mut CurrentRound, awaits: Awaits) {
        let CurrentRound { round, ears, writer, hole, .. } = playing;
        let taken = match awaits {
            Awaits::Card(_) => {
                let card = self.custody_draw(&mut playing.voice);
                writer.card(Some(card));
                round.deal(card, ears)
            }
            Awaits::FaceDown(place) => {
                let card = self.custody_draw(&mut playing.voice);
                if place == Place::Dealer {
                    *hole = Some(card);
                }
                writer.card(None);
                round.deal_face_down(ears)
            }
            Awaits::Peek => {
                let natural = hole.is_some_and(|hole| round.reader_answer(hole));
                writer.line(Line::Peek(natural));
                round.peek(natural, ears)
            }
            Awaits::Turn => {
                let hole = hole.expect("only a card that lies face down is turned");
                writer.line(Line::Turn(hole));
                round.turn(hole, ears)
            }
            Awaits::Acts(_) | Awaits::Nobody => Ok(()),
        };
        taken.expect("the round takes what it waits for");
    }

    fn custody_draw(&mut self, voice: &mut Voice) -> Card {
        let (card, ran_out) = self.custody.draw();
        if ran_out {
            self.coach.iter_mut().for_each(Coach::forget);
            voice.announce(
                "The shoe is empty: the discards are shuffled, and one card is burned (G-18).",
            );
        }
        card
    }

    /// Lets the first one who is asked decide.
    fn take_act(&mut self, playing: &mut CurrentRound, asked: Bettors) -> io::Result<()> {
        let bettor = asked.iter().next().expect("somebody is asked");
        let act = match bettor == self.bettor() {
            false => house_player::decide(&playing.round, &playing.ears.felt, bettor),
            true if self.has_left => Act::Call(house_player::without_money(&playing.round, bettor)),
            true => {
                let act = self.ask(playing)?;
                self.tell_cost(playing, act)?;
                act
            }
        };
        playing.round.act(bettor, act, &mut playing.ears).expect("the decision has been tried");
        playing.writer.line(Line::Act { bettor, act });
        Ok(())
    }

    /// Says what a decision costs, where there is a coach.
    fn tell_cost(&mut self, playing: &CurrentRound, act: Act) -> io::Result<()> {
        let (bettor, heard) = (self.bettor(), &playing.ears.heard);
        let wager = self.last_wager.iter().flatten().find(|(circle, _)| *circle == Circle::Main);
        let main = wager.map_or(Cents::ZERO, |(_, amount)| *amount);
        let Some(coach) = &mut self.coach else { return Ok(()) };
        match coach.judge(&self.sheet, (&playing.round, bettor, main), act, heard) {
            Some(sentence) => self.screen.say(&sentence),
            None => Ok(()),
        }
    }

    /// Shows how the round ended, and moves the chips.
    fn settle(&mut self, mut playing: CurrentRound, wagers: &TableWagers) -> io::Result<()> {
        let bettors: Vec<Bettor> = wagers.bettors().collect();
        let statement = &playing.ears.statement;
        assert!(statement.is_balanced(), "every chip is decided once");
        let net = statement.net(self.bettor());
        self.rack += net;
        let opening = self.own_opening(wagers);
        self.move_meter(&playing.ears.heard, wagers);
        if let Some(coach) = &mut self.coach {
            coach.remember(&self.sheet, &playing.ears.heard, self.seating.me);
        }
        let others: Vec<String> = bettors
            .iter()
            .filter(|&&bettor| bettor != self.bettor())
            .map(|&bettor| format!("box {bettor} {:+}", statement.net(bettor)))
            .collect();

        self.show(&mut playing)?;
        self.screen.blank()?;
        let width = self.screen.width();
        for line in results::lines(&playing.ears.heard, self.bettor(), width) {
            self.screen.line(&line)?;
        }
        self.screen.line(&results::sum(net, width))?;
        if !others.is_empty() {
            self.screen.item("  Others", 10, &others.join(", "))?;
        }
        if let Some(coach) = &mut self.coach {
            self.screen.say(&coach.after_round(&self.sheet, &opening, net))?;
        }
        if self.rounds == 1 {
            let hint = "Beside each wager is the clause that decided it: type r ID to read it.";
            self.screen.item("", 2, hint)?;
        }
        self.last_round = Some(playing.writer.finish(&playing.ears.statement, &bettors));
        Ok(())
    }

    /// What the player has staked in a round, and what its value depends on.
    fn own_opening(&self, wagers: &TableWagers) -> OpeningWagers {
        let others = wagers.bettors().filter(|&bettor| bettor != self.bettor());
        let others = others.filter(|&bettor| !wagers.slip(bettor).progressive.is_zero()).count();
        OpeningWagers {
            wagers: self.last_wager.clone().unwrap_or_default(),
            meter: self.meter,
            others: u8::try_from(others).unwrap_or(u8::MAX),
        }
    }

    fn move_meter(&mut self, events: &[Event], wagers: &TableWagers) {
        let Some(meter) = self.meter else { return };
        let stakes = wagers.bettors().map(|bettor| wagers.slip(bettor).progressive);
        let added = stakes.map(|stake| casino_war::contribution(&self.sheet, stake)).sum();
        self.meter = Some(meter_after(meter, events, added, casino_war::seed(&self.sheet)));
    }

    // Questions that can be asked at any time

    /// Answers what has nothing to do with the moment.
    pub(super) fn answer(&mut self, said: &Entry) -> io::Result<()> {
        match said {
            Entry::Help(Topic::Rules) => self.show_rules(),
            Entry::Help(Topic::Pays) => self.show_pays(),
            Entry::Rule(name) => {
                let words = rule_in_words(name, &self.sheet);
                self.screen.say(&words)
            }
            Entry::Transcript => self.show_transcript(),
            Entry::Burn => {
                let sentence = self.burn_card();
                self.screen.say(&sentence)
            }
            Entry::Nothing | Entry::Help(Topic::Here) | Entry::Quit | Entry::Words(_) => Ok(()),
        }
    }

    /// The rules of the game at this table.
    fn show_rules(&mut self) -> io::Result<()> {
        let game = self.sheet.game();
        self.screen.heading(game.title())?;
        self.screen.points(&guide::rules(&self.sheet))?;
        if game == Game::DoubleDownStud {
            self.screen.heading("Poker hands, from best to worst")?;
            for hand in guide::poker_hands() {
                self.screen.item("", 2, hand)?;
            }
        }
        Ok(())
    }

    /// The pay table, and what its words mean.
    fn show_pays(&mut self) -> io::Result<()> {
        self.screen.heading("What pays")?;
        for pay in guide::pays(&self.sheet) {
            let what = pay.what.replace('-', " ");
            let words = format!("{}: {what}, {}", pay.circle, pay.odds);
            self.screen.item(&format!("  {}", pay.clause), 16, &words)?;
        }
        self.screen.blank()?;
        self.screen.points(&guide::about_pays(&self.sheet))
    }

    fn show_transcript(&mut self) -> io::Result<()> {
        let Some(transcript) = &self.last_round else {
            return self.screen.say("No round has been finished yet.");
        };
        self.screen.plain("# Saved as a .round file, this passes `pitboss check FILE`.")?;
        self.screen.plain(transcript.to_string().trim_end())
    }

    /// The burn card, where it is shown to whoever asks.
    fn burn_card(&self) -> String {
        let hidden = || self.sheet.game().book().citation("burn-stays-hidden").source();
        match self.custody.burned() {
            _ if shoe::burned(&self.sheet) == 0 => {
                format!("Nothing is burned in this game ({}).", hidden())
            }
            _ if !shoe::shows_burn(&self.sheet) => {
                format!("The burn card stays face down ({}).", hidden())
            }
            Some(card) => format!("The burn card of this shoe is {}.", super::draw::name(card)),
            None => "No card has been burned yet.".to_owned(),
        }
    }
}

/// The meter with a round's contributions, or set back after a hit (CW-R19).
fn meter_after(meter: Cents, events: &[Event], added: Cents, seed: Cents) -> Cents {
    let is_hit =
        |event: &Event| matches!(event, Event::Awarded { circle: Circle::Progressive, .. });
    if events.iter().any(is_hit) { seed } else { meter + added }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_meter_grows_until_it_is_hit() {
        let (meter, added, seed) = (Cents::new(2000), Cents::new(75), Cents::new(1000));
        assert_eq!(meter_after(meter, &[], added, seed), Cents::new(2075));
        let award = |circle| {
            let (bettor, amount) = (Bettor::at(0), Cents::new(1));
            [Event::Awarded { bettor, circle, amount, clause: "CW-11-b" }]
        };
        assert_eq!(meter_after(meter, &award(Circle::Progressive), added, seed), seed);
        // Envy comes from the house and not from the meter.
        assert_eq!(meter_after(meter, &award(Circle::Envy), added, seed), Cents::new(2075));
    }
}
