//! House players at a table: how many people asked for, and who of them is to go.

use rules::table::Name;
use wire::{Parameter, Refusal};

use super::{Done, NotDone, TableTask};
use crate::people::Person;
use crate::people::names::is_house_player;
use crate::store::{Command, TableStore};

impl<A: TableStore> TableTask<A> {
    /// Notes how many house players somebody wants here.
    pub(super) async fn take_company(
        &mut self,
        who: &Person,
        command: &Command,
        players: usize,
    ) -> Result<Done, NotDone> {
        let most = self.means.company;
        if most == 0 {
            return Err(refused("no-company", "This table has no house players.".to_owned()).into());
        }
        if self.is_of_house(&who.name) {
            return Err(refused(
                "company-asks",
                "House players do not ask for company.".to_owned(),
            )
            .into());
        }
        if players > most {
            let sentence = format!("At most {most} house players come to a table.");
            return Err(refused("too-much-company", sentence)
                .with("most", Parameter::count(most))
                .into());
        }
        self.note_command(command).await?;
        self.company = players;
        Ok(Done::Aside)
    }

    /// Forgets what was asked for when nobody is left who could want it.
    pub(super) fn follow_company(&mut self) {
        let table = &self.live.table;
        if self.company > 0 && !table.everyone().any(|(_, chair)| !self.is_of_house(&chair.player))
        {
            self.company = 0;
            self.show();
        }
    }

    /// How many house players may be here: as many as were asked for while somebody can play with them,
    /// and one seat stays free for whoever comes.
    pub(super) fn wanted_company(&self) -> usize {
        let table = &self.live.table;
        let people = || table.everyone().filter(|(_, chair)| !self.is_of_house(&chair.player));
        if self.company == 0 || !people().any(|(place, _)| table.may_bet_next(Some(place)).is_ok())
        {
            return 0;
        }
        let boxes = people().filter(|(place, _)| table.first_on_box(place.seat()) == Some(*place));
        let free = table.seats().len().saturating_sub(boxes.count() + 1);
        self.company.min(free)
    }

    /// The house players who leave once their round is over, because they are too many.
    pub(super) fn surplus_company(&self) -> Vec<&Name> {
        let wanted = self.wanted_company();
        let chairs = self.live.table.everyone().map(|(_, chair)| &chair.player);
        chairs.filter(|player| self.is_of_house(player)).skip(wanted).collect()
    }

    /// Whether somebody is a house player.
    fn is_of_house(&self, player: &Name) -> bool {
        is_house_player(player) && self.means.store.is_bot(player)
    }
}

fn refused(code: &'static str, sentence: String) -> Refusal {
    Refusal::by_house(code, sentence)
}
