//! The protocol of a Pitboss house: everything that crosses its socket and its HTTP API, in both
//! directions. Seats are counted from 1; money is dollars as text; times are seconds of Unix time.
//!
//! ```
//! use wire::{Command, FromClient, PlayerCommand};
//!
//! let text = r#"{"id":"1","do":{"player":{"type":"sit","seat":3}}}"#;
//! let message: FromClient = wire::read(text.as_bytes())?;
//! assert_eq!(message.command, Command::Player(PlayerCommand::Sit { seat: 3, behind: false }));
//!
//! let wrong = r#"{"id":"1","do":{"player":{"type":"sit","seat":"three"}}}"#;
//! let why = wire::read::<FromClient>(wrong.as_bytes()).unwrap_err();
//! assert_eq!(why, "do.player.seat: invalid type: text \"three\", expected a whole number from 0");
//! # Ok::<(), String>(())
//! ```
//!
//! The TypeScript of the page (`web/src/wire.ts`), the OpenAPI of the house and the AsyncAPI of its
//! socket are made from these types.

mod asyncapi;
mod book;
pub mod bus;
mod change;
mod coach;
mod codes;
mod command;
mod history;
mod house;
mod odds;
mod operation;
mod people;
mod reading;
mod refusal;
mod shared;
mod story;
mod table;
mod train;
mod view;

#[cfg(test)]
mod typescript;

pub use asyncapi::{asyncapi, complete};
pub use book::{BookView, ClauseOfBook, ClauseView, OptionView, RulingView};
pub use coach::{
    ActValueView, Coach, CostMethod, DecisionValues, Grade, NoReview, ProspectsView, ReviewView,
    ReviewWanted, ReviewedDecision, ReviewedRound, RoundReview, ValueMethod, ValuesView,
};
pub use codes::{HOUSE_CODES, is_house_code};
pub use command::{
    ClientCommand, Command, DealerCommand, FromClient, FromSupervisor, Irregularity, OnCircle,
    Order, Party, Place, PlayerCommand, SupervisorCommand, id_of,
};
pub use history::{
    ContributionView, CorrectionLine, EntriesWanted, RoundLine, RoundSpan, RoundStep, RoundView,
    RoundsView, RoundsWanted, ShoeCutView, ShoeRecordView, WagerLine,
};
pub use house::FromHouse;
pub use odds::{
    CardCount, ChartCell, ChartRow, ChartView, FigureView, HandShown, OddsLine, OddsOption,
    OddsPart, OddsTable, OddsWanted, OptionChange, OptionTried, OutcomeView, RankEffect,
    RemovalView, WagerOdds,
};
pub use operation::{BackupView, Fine, Ready};
pub use people::{
    AfterEvent, AfterName, Bankroll, BoundView, ChangePassword, CircleStatistics, EventView,
    Events, GameStatistics, Kind, LaterView, LogIn, LogOut, Me, NewName, NewPassword, NewPerson,
    NewRole, NewSuspension, NewToken, OwnLimits, People, PersonView, PlayedSession, PointView,
    Purse, RackView, Role, SelfExclusion, SessionView, SignUp, Statistics, SuspensionView,
    SwingView, TokenView,
};
pub use reading::{in_plain_words, read};
pub use refusal::{Parameter, Refusal, Source, as_sentence};
pub use shared::Shared;
pub use story::StoryLine;
pub use table::{
    AboutTable, AmountsView, CircleView, DecksView, KindView, LobbyTable, OpenTable, OrdersView,
    PayView, PrivateTable, SignView, TermView, WaitingCorrection,
};
pub use train::{
    CountQuestion, CountTag, GradeView, HandOver, IndexView, QuestionView, TrainingAnswer,
    TrainingDay, TrainingView, TrainingWanted,
};
pub use view::{
    Awaited, AwaitedWhat, BehindView, Choice, ClosedCall, CommitmentView, CompanyView, CutView,
    Holds, MixStage, MixView, OddsView, Offer, PileView, ResultView, SeatChange, SeatView,
    ShoeView, View, ViewChange, WagerEnd, WagerView,
};

/// The version of this protocol. A client that knows another one should say so and reload.
pub const PROTOCOL: u32 = 8;

/// The longest message that a client may send, in bytes.
pub const LONGEST_MESSAGE: usize = 4096;

/// The longest id of a command, in bytes.
pub const LONGEST_ID: usize = 64;
