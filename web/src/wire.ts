// Made from crates/wire by its tests. Not to be changed here.

/** The version of this protocol. */
export const PROTOCOL = 8;

/**
 * What never changes at a table.
 */
export type AboutTable = { 
/**
 * The name of the table.
 */
table: string, 
/**
 * The id of the house, to which commitments are made; empty where nobody can play.
 */
house: string, 
/**
 * The name of the game.
 */
game: string, 
/**
 * The game as it stands on the sign.
 */
title: string, 
/**
 * The house's terms.
 */
terms: Array<TermView>, 
/**
 * Those that are not the default, as a link names them: `decks=8 seats=6`.
 */
options: string, 
/**
 * Every circle that can hold a wager of this game, as they lie on the layout.
 */
circles: Array<CircleView>, 
/**
 * What pays what.
 */
pays: Array<PayView>, 
/**
 * The amounts for which chips can be bought; the step is the smallest chip.
 */
buy_in: AmountsView, 
/**
 * What stands on the signs beside the limits.
 */
signs: Array<SignView>, 
/**
 * The cards of a full shoe.
 */
decks: DecksView, 
/**
 * Whether it says what decisions are worth.
 */
coach: Coach, };

/**
 * What an act is worth: what the player gains on average from here to the end of the round, by playing
 * on in the best way.
 */
export type ActValueView = { 
/**
 * The call.
 */
call: string, 
/**
 * The chips that go with it, in dollars; null where none do, or as many as are allowed.
 */
amount: string | null, 
/**
 * The gain on average, in dollars.
 */
gain: number, 
/**
 * How much less that is than the best act, in dollars.
 */
cost: number, 
/**
 * How certain the cost is. The first act is certainly the best where its own is exact.
 */
cost_method: CostMethod, 
/**
 * How sure the gain is.
 */
method: ValueMethod, 
/**
 * The most that play could gain with enough chips and without looking at sibling hands, in dollars,
 * where that is more and is known. Looking could gain more still.
 */
at_most: number | null, 
/**
 * How the hand that decides ends by that play, or an insurance wager by itself; null where more hands
 * come of the act, and before the cards.
 */
prospects: ProspectsView | null, };

/**
 * Amounts that may be chosen, in dollars.
 */
export type AmountsView = { 
/**
 * The smallest.
 */
least: string, 
/**
 * The largest.
 */
most: string, 
/**
 * From one to the next.
 */
step: string, 
/**
 * Whether there always is one; with a call, one that is left out is the largest then.
 */
required: boolean, };

/**
 * What a table waits for.
 */
export type Awaited = { 
/**
 * What.
 */
what: AwaitedWhat, 
/**
 * Of which seats.
 */
seats: Array<number>, 
/**
 * How long it still waits, in milliseconds; null where no clock runs.
 */
within_ms: number | null, 
/**
 * How long it waits in all.
 */
of_ms: number | null, };

/**
 * What can be waited for.
 */
export type AwaitedWhat = "player" | "decks" | "inspection" | "shuffle" | "commitments" | "openings" | "cut" | "burn" | "wagers" | "act" | "dealer" | "reveal" | "supervisor" | "choice";

/**
 * A copy of the store: the answer to `POST /api/backup`.
 */
export type BackupView = { 
/**
 * Its file, in the directory of the store.
 */
file: string, 
/**
 * How long it is.
 */
bytes: number, };

/**
 * A player's money over time: the answer to `GET /api/me/bankroll`.
 */
export type Bankroll = { 
/**
 * From the earliest to the latest.
 */
points: Array<PointView>, 
/**
 * Whether there are earlier ones.
 */
more: boolean, };

/**
 * Somebody who bets on the box of somebody else (DAB-13).
 */
export type BehindView = { 
/**
 * The place: `3b`.
 */
at: string, 
/**
 * Who.
 */
name: string, 
/**
 * Whether that is a program.
 */
bot: boolean, 
/**
 * Whether that person is not there: the connection is lost, and the place kept for a while.
 */
away: boolean, 
/**
 * Whether no wager of theirs is taken before the next shuffle (no mid-shoe entry).
 */
waits: boolean, 
/**
 * The chips there.
 */
rack: string, 
/**
 * Whether no further wager will come.
 */
ready: boolean, 
/**
 * What lies on the layout and is not decided.
 */
wagers: Array<WagerView>, 
/**
 * What became of the wagers of this round or the last one.
 */
results: Array<ResultView>, };

/**
 * The book of a game in our own words: the answer to `GET /api/rules/GAME`.
 */
export type BookView = { 
/**
 * The name of the game.
 */
game: string, 
/**
 * The game as it stands on the sign.
 */
title: string, 
/**
 * The clauses, as the book has them.
 */
clauses: Array<ClauseOfBook>, 
/**
 * What decides where the book is silent: for this game, and for all.
 */
rulings: Array<RulingView>, 
/**
 * What the book leaves to the house.
 */
options: Array<OptionView>, };

/**
 * A bound that a player has set.
 */
export type BoundView = { 
/**
 * What holds; null where nothing does.
 */
most: string | null, 
/**
 * What holds later, because it is looser.
 */
later: LaterView | null, };

/**
 * How many there are of a card.
 */
export type CardCount = { 
/**
 * The card.
 */
card: string, 
/**
 * How many a full shoe has.
 */
all: number, 
/**
 * How many are left.
 */
left: number, };

/**
 * The body of `POST /api/me/password`.
 */
export type ChangePassword = { 
/**
 * The password until now.
 */
old: string, 
/**
 * The next one.
 */
new: string, };

/**
 * A field of a strategy.
 */
export type ChartCell = { 
/**
 * What to do, the most preferred call first; the first that is open is meant.
 */
calls: Array<string>, 
/**
 * A hand that is in this field, where one can come about.
 */
shown: HandShown | null, };

/**
 * A row of a strategy.
 */
export type ChartRow = { 
/**
 * A total, the letter of a pair, or what the cards are.
 */
row: string, 
/**
 * How often it comes, where that is known.
 */
often: number | null, 
/**
 * One for each up card, or one.
 */
cells: Array<ChartCell>, };

/**
 * A table of a strategy.
 */
export type ChartView = { 
/**
 * Which one: `hard`, `soft` or `pairs`, with a page before it such as `free`; `attack`, `tie`, `hand`.
 */
table: string, 
/**
 * The dealer's up cards; empty where they do not matter.
 */
ups: Array<string>, 
/**
 * The rows, the highest first.
 */
rows: Array<ChartRow>, };

/**
 * What a player may choose after something went wrong.
 */
export type Choice = { 
/**
 * The choice, as commands name it.
 */
choice: string, 
/**
 * The choice on a button.
 */
words: string, };

/**
 * What the wagers of a circle have come to, as they were settled.
 */
export type CircleStatistics = { 
/**
 * The name of the circle.
 */
circle: string, 
/**
 * What is printed on the felt.
 */
title: string, 
/**
 * How many wagers.
 */
wagers: number, 
/**
 * What lay there in all, lammers included.
 */
staked: string, 
/**
 * Won or lost, with its sign.
 */
net: string, 
/**
 * The same with all that was added in the rounds, such as doubles: what `expected` is compared
 * with. With its sign; null where nothing is expected.
 */
net_with_added: string | null, 
/**
 * What the first amounts that lay there come to on average, best played and with all that is added
 * to them in a round, with its sign; null where that is not known for every table.
 */
expected: string | null, };

/**
 * A circle of the layout.
 */
export type CircleView = { 
/**
 * Its name in commands.
 */
circle: string, 
/**
 * What is printed on the felt.
 */
title: string, 
/**
 * The amounts that it takes before the first card; null where it takes none then.
 */
opening: AmountsView | null, };

/**
 * A clause of a book.
 */
export type ClauseOfBook = { 
/**
 * Its id.
 */
id: string, 
/**
 * What it is about, such as `payout`.
 */
kind: string, 
/**
 * What it says.
 */
title: string, 
/**
 * Why no program can carry it out, where none can.
 */
excused: string | null, };

/**
 * What a source says: the answer to `GET /api/clause/ID`.
 */
export type ClauseView = { 
/**
 * Its id.
 */
id: string, 
/**
 * What it is: a clause of a game's book, a ruling or a term of the house.
 */
kind: string, 
/**
 * The game on the sign, where it belongs to one.
 */
game: string | null, 
/**
 * What it is about, or all of it.
 */
title: string, 
/**
 * What holds, where that is more than the title.
 */
words: string | null, };

/**
 * What any client asks of its connection.
 */
export type ClientCommand = { "type": "watch", 
/**
 * The name of the table.
 */
table: string, 
/**
 * The last version that the client has seen.
 */
from: number | null, } | { "type": "ping" };

/**
 * A call that is closed to whoever is asked: one of the answer to `GET /api/tables/TABLE/closed-calls`.
 */
export type ClosedCall = { 
/**
 * The call.
 */
call: string, 
/**
 * The call on a button.
 */
words: string, 
/**
 * Why it is closed.
 */
refusal: Refusal, };

/**
 * Whether a table says what decisions are worth.
 */
export type Coach = "live" | "after" | "off";

/**
 * A command, by who may say it.
 */
export type Command = { "client": ClientCommand } | { "player": PlayerCommand } | { "dealer": DealerCommand } | { "supervisor": SupervisorCommand };

/**
 * A commitment in the closed list.
 */
export type CommitmentView = { 
/**
 * The place.
 */
at: string, 
/**
 * 64 hexadecimal digits.
 */
commitment: string, 
/**
 * Whether its opening is in the log; false before the order is fixed.
 */
opened: boolean, };

/**
 * The house players at a table.
 */
export type CompanyView = { 
/**
 * How many were asked for.
 */
asked: number, 
/**
 * How many may be asked for.
 */
most: number, 
/**
 * The seats that they have.
 */
seats: Array<number>, };

/**
 * What a player added to the order of a shoe.
 */
export type ContributionView = { 
/**
 * The place.
 */
at: string, 
/**
 * Who it was.
 */
name: string, 
/**
 * The commitment: 64 hexadecimal digits.
 */
commitment: string, 
/**
 * The bytes: 64 hexadecimal digits; null where they were not opened.
 */
bytes: string | null, };

/**
 * A supervisor's correction of a round that is over (G-28).
 */
export type CorrectionLine = { 
/**
 * The entry of the log.
 */
seq: number, 
/**
 * In dollars.
 */
amount: string, 
/**
 * The account that gave it.
 */
from: string, 
/**
 * The account that got it.
 */
to: string, 
/**
 * The supervisor.
 */
by: string, 
/**
 * Why.
 */
because: string, };

/**
 * How certain a cost is: either value may be a bound.
 */
export type CostMethod = "exact" | "at_least" | "at_most" | "about";

/**
 * A question about a count.
 */
export type CountQuestion = { 
/**
 * Cards to be counted; empty where the running count is given.
 */
cards: Array<string>, 
/**
 * The running count, where it is given.
 */
running: number | null, 
/**
 * Cards that have been seen.
 */
seen: number, 
/**
 * Cards that are left.
 */
left: number, 
/**
 * Cards in a deck.
 */
deck: number, 
/**
 * What each rank adds, by its letter.
 */
tags: Array<CountTag>, };

/**
 * What a rank adds to the running count.
 */
export type CountTag = { 
/**
 * The letter of the rank.
 */
rank: string, 
/**
 * What it adds.
 */
adds: number, };

/**
 * Where the cards may be cut.
 */
export type CutView = { 
/**
 * The fewest cards that go from the front to the back.
 */
least: number, 
/**
 * The most.
 */
most: number, 
/**
 * How many there are.
 */
cards: number, };

/**
 * What the dealer of a physical table did with the cards.
 */
export type DealerCommand = { "type": "decks", 
/**
 * The reference of cards that came shuffled (G-30); null for cards inspected here.
 */
reference: string | null, } | { "type": "shuffle" } | { "type": "cut", 
/**
 * How many went from the front to the back.
 */
at: number, } | { "type": "deal" } | { "type": "card", 
/**
 * Such as `9d`; null for a card drawn face down.
 */
card: string | null, } | { "type": "peek", 
/**
 * Whether the reader says that the dealer has a blackjack.
 */
natural: boolean, } | { "type": "turn", 
/**
 * Such as `9d`.
 */
card: string, } | { "type": "show_burn", 
/**
 * The place of that player: `3`, or `3b`.
 */
at: string, 
/**
 * The burned cards, the first one first.
 */
cards: Array<string>, } | { "type": "report", 
/**
 * What.
 */
irregularity: Irregularity, };

/**
 * What each act open at a place is worth.
 */
export type DecisionValues = { 
/**
 * The place: `3`, or `3b`.
 */
at: string, 
/**
 * The acts, the best one first.
 */
acts: Array<ActValueView>, };

/**
 * The cards of a full shoe, as the rules have them.
 */
export type DecksView = { 
/**
 * Those of one deck.
 */
cards: Array<string>, 
/**
 * How many decks there are.
 */
times: number, };

/**
 * A significant event of the house.
 */
export type EventView = { 
/**
 * Its number.
 */
id: number, 
/**
 * When, in seconds of Unix time.
 */
at: number, 
/**
 * By whom: somebody's name, `command-line`, or `house`.
 */
who: string, 
/**
 * What: `start`, `sign-in`, `suspend` and so on; docs/people.md has them all.
 */
what: string, 
/**
 * To whom; null where it is about nobody in particular.
 */
whom: string | null, 
/**
 * The new role, the label of a token, an address, a file, or a reason.
 */
more: string, };

/**
 * Significant events: the answer to `GET /api/office/events`.
 */
export type Events = { 
/**
 * From the first.
 */
events: Array<EventView>, 
/**
 * Whether more come after the last one.
 */
more: boolean, };

/**
 * A number that may be simulated.
 */
export type FigureView = { 
/**
 * The number.
 */
value: number, 
/**
 * Its standard error, where it is simulated.
 */
standard_error: number | null, };

/**
 * A message from a client.
 */
export type FromClient = { 
/**
 * Made by the client. A command with the same id is carried out once, however often it is sent.
 */
id: string, 
/**
 * The command.
 */
do: Command, };

/**
 * A message from the house.
 */
export type FromHouse = { "type": "hello", 
/**
 * Its version, as in [`PROTOCOL`](crate::PROTOCOL).
 */
protocol: number, } | { "type": "answer", 
/**
 * Which one.
 */
id: string, 
/**
 * Whether it was done.
 */
ok: boolean, 
/**
 * The entry of the log that it led to.
 */
seq: number | null, 
/**
 * Why it was not done.
 */
refusal: Refusal | null, } | { "type": "table", 
/**
 * What it is.
 */
about: AboutTable, } | { "type": "account" } & Purse | { "type": "session" } & SessionView | { "type": "state", 
/**
 * How many steps the table has made.
 */
version: number, 
/**
 * The number of this view on this socket. The next change has the next number, so that none
 * can be missed.
 */
number: number, 
/**
 * What it looks like.
 */
view: View, } | { "type": "event", 
/**
 * The one after the last.
 */
version: number, 
/**
 * What happened, in lines of the log; without what is not for this viewer.
 */
events: Array<string>, 
/**
 * The same in codes, for what is worth a sentence.
 */
story: Array<StoryLine>, 
/**
 * The number of the view after it.
 */
number: number, 
/**
 * What changed since the view before; null if the `state` follows at once.
 */
change: ViewChange | null, } | { "type": "change", 
/**
 * The version, as before.
 */
version: number, 
/**
 * The number of the view after it.
 */
number: number, 
/**
 * What changed since the view before.
 */
change: ViewChange, } | { "type": "head", 
/**
 * The entry's number.
 */
seq: number, 
/**
 * The entry's hash.
 */
hash: string, } | { "type": "lobby", 
/**
 * The tables, as they stand now. One that was not there before is new: `GET
 * /api/tables/TABLE` tells all of it.
 */
tables: Array<LobbyTable>, 
/**
 * The tables that are open no more.
 */
closed: Array<string>, } | { "type": "away", 
/**
 * The reason.
 */
refusal: Refusal, } | { "type": "closing" };

/**
 * A supervisor's command over HTTP: the body of `POST /api/tables/TABLE/orders`.
 */
export type FromSupervisor = { 
/**
 * Made by the client. A command with the same id is carried out once, however often it is sent.
 */
id: string, 
/**
 * The command.
 */
do: SupervisorCommand, };

/**
 * What a game has come to for a player, in rounds that are over; void ones do not count.
 */
export type GameStatistics = { 
/**
 * The name of the game.
 */
game: string, 
/**
 * The game as it stands on the sign.
 */
title: string, 
/**
 * How many rounds.
 */
rounds: number, 
/**
 * How many seconds the sessions with these rounds were in all.
 */
seconds: number, 
/**
 * What they came to, with its sign and with later corrections.
 */
net: string, 
/**
 * The round that won the most, or lost the least.
 */
best: SwingView, 
/**
 * The round that lost the most, or won the least.
 */
worst: SwingView, 
/**
 * The wagers, by circle.
 */
wagers: Array<CircleStatistics>, };

/**
 * How good a decision was, by what it cost in units of the main wager.
 */
export type Grade = "best" | "close" | "mistake" | "blunder" | "unsure";

/**
 * What an answer was worth.
 */
export type GradeView = { 
/**
 * Whether it was right: the best, or what the strategy says.
 */
right: boolean, 
/**
 * What was answered.
 */
answer: string, 
/**
 * What would have been best.
 */
best: string, 
/**
 * What the answer costs compared with it, in units of the main wager.
 */
cost: number, 
/**
 * The question as it was, with the value of every act.
 */
question: QuestionView, 
/**
 * What the hand came to, where the answer ended it.
 */
over: HandOver | null, 
/**
 * Where the count changes the play, of a decision at a true count.
 */
index: IndexView | null, };

/**
 * The end of a hand.
 */
export type HandOver = { 
/**
 * The cards of each hand of the player.
 */
own: Array<Array<string>>, 
/**
 * The dealer's cards, or the community cards.
 */
dealer: Array<string>, 
/**
 * What was won or lost, in units of the main wager.
 */
net: number, };

/**
 * A hand before a decision, and what every open act is worth.
 */
export type HandShown = { 
/**
 * The cards of each hand of the player.
 */
own: Array<Array<string>>, 
/**
 * The hand that is being played, counted from 0.
 */
hand: number, 
/**
 * The dealer's open cards, or the community cards.
 */
dealer: Array<string>, 
/**
 * The acts, the best one first; `gain` and `cost` are in units of the main wager.
 */
acts: Array<ActValueView>, };

/**
 * What cards make.
 */
export type Holds = { "hard": number } | { "soft": number } | { "hand": string };

/**
 * The true count from which on another act is the best.
 */
export type IndexView = { 
/**
 * The lowest true count at which `above` is the best.
 */
from: number, 
/**
 * What is best below it.
 */
below: string, 
/**
 * What is best from there on.
 */
above: string, };

/**
 * Something that went wrong.
 */
export type Irregularity = { 
/**
 * One of `OrdersView.kinds`: `face-up`.
 */
kind: string, 
/**
 * Where it happened, for kinds with a place.
 */
place?: Place, 
/**
 * The card, for kinds with a card: `9d`.
 */
card?: string, };

/**
 * How the house knows somebody.
 */
export type Kind = "guest" | "account" | "bot";

/**
 * Something that can go wrong.
 */
export type KindView = { 
/**
 * Its name in a report: `face-up`.
 */
kind: string, 
/**
 * The name in words.
 */
words: string, 
/**
 * The clause that decides it.
 */
clause: string, 
/**
 * Whether a report of it names a place.
 */
has_place: boolean, 
/**
 * Whether a report of it names a card.
 */
has_card: boolean, };

/**
 * A looser bound that waits.
 */
export type LaterView = { 
/**
 * What will hold; null where nothing will.
 */
most: string | null, 
/**
 * From when, in seconds of Unix time.
 */
from: number, };

/**
 * What changes at a table, for whoever chooses one: part of `lobby`.
 */
export type LobbyTable = { 
/**
 * Its name.
 */
table: string, 
/**
 * How many seats are taken.
 */
taken: number, 
/**
 * The progressive meter.
 */
meter: string | null, 
/**
 * Whether somebody more can watch it.
 */
watchable: boolean, 
/**
 * Whether whoever comes now finds a seat and may bet in the next round: not where every seat is
 * taken, or a sign bars entry in mid-shoe.
 */
open: boolean, 
/**
 * Who has a place there, each once.
 */
players: Array<string>, 
/**
 * How many people watch it without a place.
 */
spectators: number, 
/**
 * Why nothing is taken there: it is paused, or closed.
 */
trouble: Refusal | null, 
/**
 * What the main wager costs on average, best played, in millionths of its first amount; null where
 * that is not known, or not yet.
 */
house_edge: number | null, 
/**
 * How many seconds a round takes from the first card, on average of the last ones; null before any
 * was played.
 */
round_seconds: number | null, };

/**
 * The body of `POST /api/login`.
 */
export type LogIn = { 
/**
 * The name of the account.
 */
name: string, 
/**
 * Its password.
 */
password: string, };

/**
 * The body of `POST /api/logout`.
 */
export type LogOut = { 
/**
 * Whether every session of the account ends.
 */
everywhere: boolean, };

/**
 * Who somebody is: the answer to `GET /api/me`, and to whatever lets somebody in.
 */
export type Me = { 
/**
 * The name.
 */
name: string, 
/**
 * How the house knows them.
 */
kind: Kind, 
/**
 * What they may do.
 */
role: Role, 
/**
 * The money that is not at a table, in dollars.
 */
balance: string, 
/**
 * The chips at every table where they have a place.
 */
racks: Array<RackView>, 
/**
 * Whether the cashier would give them more.
 */
broke: boolean, 
/**
 * How long they have been here, what it came to, and what they hold to.
 */
session: SessionView, };

/**
 * What is done with the order of a shoe.
 */
export type MixStage = "commit" | "open" | "mixed";

/**
 * What players add to the order of a shoe.
 */
export type MixView = { 
/**
 * What is done now.
 */
stage: MixStage, 
/**
 * Whether the viewer has answered at this stage; null where no answer of theirs is awaited.
 */
answered: boolean | null, 
/**
 * The closed list of commitments.
 */
list: Array<CommitmentView>, };

/**
 * The body of `POST /api/me/name`.
 */
export type NewName = { 
/**
 * What the guest is called from now on.
 */
name: string, };

/**
 * The body of `POST /api/people/NAME/password`.
 */
export type NewPassword = { 
/**
 * The password.
 */
password: string, };

/**
 * The body of `POST /api/people`.
 */
export type NewPerson = { 
/**
 * The name.
 */
name: string, 
/**
 * An account or a bot.
 */
kind: Kind, 
/**
 * What they may do.
 */
role: Role, 
/**
 * The password of an account; a bot has none.
 */
password?: string, };

/**
 * The body of `POST /api/people/NAME/role`.
 */
export type NewRole = { 
/**
 * The role.
 */
role: Role, };

/**
 * The body of `POST /api/people/NAME/suspension`.
 */
export type NewSuspension = { 
/**
 * Until when, in seconds of Unix time; by default until an operator lifts it.
 */
until?: number, 
/**
 * Why, for the record.
 */
because: string, };

/**
 * The body of `POST /api/people/NAME/tokens`.
 */
export type NewToken = { 
/**
 * What the token is called.
 */
label: string, };

/**
 * Why a round is not reviewed.
 */
export type NoReview = "void" | "no_coach" | "other_rules" | "failed";

/**
 * A line of the answer to `GET /api/odds/GAME`, as soon as it is known.
 */
export type OddsLine = { "type": "table" } & OddsTable | { "type": "wagers", 
/**
 * The wagers, each by every way to play it.
 */
wagers: Array<WagerOdds>, } | { "type": "chart" } & ChartView | { "type": "removal", 
/**
 * The wagers.
 */
wagers: Array<RemovalView>, } | { "type": "option" } & OptionTried | { "type": "progress", 
/**
 * The part.
 */
part: OddsPart, 
/**
 * How many steps are done.
 */
done: number, 
/**
 * How many there are.
 */
of: number, } | { "type": "end", 
/**
 * Whether everything is.
 */
complete: boolean, };

/**
 * A house option of a table that is explored.
 */
export type OddsOption = { 
/**
 * Its one name.
 */
key: string, 
/**
 * What it decides.
 */
meaning: string, 
/**
 * What is chosen.
 */
value: string, 
/**
 * What holds where nothing is chosen.
 */
default: string, 
/**
 * Every value, where they are few; otherwise a number is typed.
 */
choices: Array<string>, 
/**
 * What may be chosen, in words.
 */
values: string, 
/**
 * Whether it changes a round or the cards, rather than the procedures around them.
 */
bears: boolean, 
/**
 * The clauses and rulings that it comes from.
 */
sources: Array<string>, };

/**
 * A part of what is found.
 */
export type OddsPart = "wagers" | "chart" | "removal" | "options";

/**
 * A table that is explored.
 */
export type OddsTable = { 
/**
 * The name of the game.
 */
game: string, 
/**
 * The game as it stands on the sign.
 */
title: string, 
/**
 * Every house option.
 */
options: Array<OddsOption>, 
/**
 * Every card of the shoe.
 */
cards: Array<CardCount>, 
/**
 * The main wager that is assumed, in dollars.
 */
stake: string, };

/**
 * Odds: what is won for a stake, as in `3 to 2`.
 */
export type OddsView = { 
/**
 * What is won.
 */
pays: number, 
/**
 * For how much.
 */
to: number, };

/**
 * A call that is open.
 */
export type Offer = { 
/**
 * The place that it is open to.
 */
at: string, 
/**
 * The call, as commands name it.
 */
call: string, 
/**
 * The call on a button.
 */
words: string, 
/**
 * What it takes from the rack where no amount is named; null where nothing.
 */
stake: string | null, 
/**
 * What is lost by it at once, and no more; null where nothing is, or where that is not known.
 */
loses: string | null, 
/**
 * Whether the house lays a lammer for it.
 */
free: boolean, 
/**
 * The amounts that may be named with it.
 */
amounts: AmountsView | null, 
/**
 * The title of the circle on which that amount goes.
 */
circle: string | null, 
/**
 * The first of two hands that may be named with it, counted from 1 (DAB-13-f).
 */
hand: number | null, };

/**
 * An amount on a circle.
 */
export type OnCircle = { 
/**
 * The name of the circle.
 */
circle: string, 
/**
 * In dollars.
 */
amount: string, };

/**
 * An open table: one of the answer to `GET /api/tables`.
 */
export type OpenTable = { 
/**
 * Its name.
 */
table: string, 
/**
 * The name of the game.
 */
game: string, 
/**
 * The game as it stands on the sign.
 */
title: string, 
/**
 * What never changes at it.
 */
about: AboutTable, 
/**
 * How many seconds there are for wagers.
 */
betting_seconds: number, 
/**
 * How many seats are taken.
 */
taken: number, 
/**
 * How many there are.
 */
seats: number, 
/**
 * The progressive meter.
 */
meter: string | null, 
/**
 * What it waits for.
 */
awaited: AwaitedWhat, 
/**
 * Whether somebody more can watch it.
 */
watchable: boolean, 
/**
 * Whether whoever comes now finds a seat and may bet in the next round: not where every seat is
 * taken, or a sign bars entry in mid-shoe.
 */
open: boolean, 
/**
 * Who has a place there, each once.
 */
players: Array<string>, 
/**
 * How many people watch it without a place.
 */
spectators: number, 
/**
 * Why nothing is taken there: it is paused, or closed.
 */
trouble: Refusal | null, 
/**
 * What the main wager costs on average, best played, in millionths of its first amount; null where
 * that is not known, or not yet.
 */
house_edge: number | null, 
/**
 * How many seconds a round takes from the first card, on average of the last ones; null before any
 * was played.
 */
round_seconds: number | null, };

/**
 * What another value of a house option would do to a wager.
 */
export type OptionChange = { 
/**
 * The circle.
 */
bet: string, 
/**
 * The way of playing.
 */
policy: string, 
/**
 * How much more it is worth then; null where there is no such wager any more.
 */
change: number | null, };

/**
 * What another value of a house option would do.
 */
export type OptionTried = { 
/**
 * The option.
 */
key: string, 
/**
 * The value that is tried.
 */
to: string, 
/**
 * The wagers that it changes.
 */
changes: Array<OptionChange>, 
/**
 * Why the table cannot have it, where it cannot.
 */
refused: string | null, };

/**
 * Something that the book leaves to the house.
 */
export type OptionView = { 
/**
 * Its one name.
 */
key: string, 
/**
 * What it is measured in: `amount`, `count`, `cards`, `seconds`, `enum` or `flag`.
 */
kind: string, 
/**
 * `round` where it affects a round, `table` where it affects the procedures around one.
 */
scope: string, 
/**
 * What may be chosen, as the books have it: `6|7|8`, `1..7`, `none|>=100000`.
 */
values: string, 
/**
 * The same for programs: the values that have a name.
 */
words: Array<string>, 
/**
 * The smallest number; null where only those values may be chosen.
 */
least: string | null, 
/**
 * The largest number; null where there is none.
 */
most: string | null, 
/**
 * Whether it may be chosen for a private table.
 */
private: boolean, 
/**
 * What holds where nothing is chosen.
 */
default: string, 
/**
 * What it decides.
 */
meaning: string, 
/**
 * The clauses and rulings that it comes from.
 */
sources: Array<string>, };

/**
 * An order of a supervisor.
 */
export type Order = { 
/**
 * Its word in the notation: `recut`, `release`.
 */
order: string, 
/**
 * The place of the player it is about, if it is about one: `3`, or `3b`.
 */
at?: string, };

/**
 * What a supervisor may decide at a table: the answer to `GET` and `POST /api/tables/TABLE/orders`.
 */
export type OrdersView = { 
/**
 * The table.
 */
table: string, 
/**
 * The entry of the log that an order led to.
 */
seq: number | null, 
/**
 * The round in play, or the next one.
 */
round: number, 
/**
 * What the table waits for.
 */
awaited: AwaitedWhat, 
/**
 * What may be ordered now.
 */
outcomes: Array<Order>, 
/**
 * What the dealer says now.
 */
prompt: string, 
/**
 * What can go wrong in this game, for a `report`.
 */
kinds: Array<KindView>, 
/**
 * Corrections at this table that wait for a second supervisor.
 */
waiting: Array<WaitingCorrection>, };

/**
 * A way in which a wager can end.
 */
export type OutcomeView = { 
/**
 * What happened.
 */
name: string, 
/**
 * The net gain, in units of the wager.
 */
net: number, 
/**
 * How often.
 */
probability: number, 
/**
 * Whether the probability is simulated.
 */
simulated: boolean, };

/**
 * The body of `POST /api/me/limits`. What is left out stays; null removes a limit after a day.
 */
export type OwnLimits = { 
/**
 * The most that may be lost in a day, in dollars.
 */
loss?: string | null, 
/**
 * The most minutes in a day.
 */
minutes?: number | null, };

/**
 * Something that a sentence names.
 */
export type Parameter = { "amount": string } | { "count": number } | { "time": number } | { "word": string };

/**
 * A party to a correction.
 */
export type Party = "house" | { "rack": string } | { "player": string };

/**
 * A line of a pay table.
 */
export type PayView = { 
/**
 * The circle.
 */
circle: string, 
/**
 * What a program tells the lines of a game apart by.
 */
code: string, 
/**
 * What is paid.
 */
words: string, 
/**
 * The same where there is little room.
 */
brief: string, 
/**
 * How much.
 */
odds: OddsView, 
/**
 * The clause that says so.
 */
clause: string, };

/**
 * People by their names: the answer to `GET /api/people`.
 */
export type People = { 
/**
 * In order.
 */
people: Array<PersonView>, 
/**
 * Whether more come after the last one.
 */
more: boolean, };

/**
 * Somebody whom the house knows: one of the answer to `GET /api/people`.
 */
export type PersonView = { 
/**
 * The name.
 */
name: string, 
/**
 * How the house knows them.
 */
kind: Kind, 
/**
 * What they may do.
 */
role: Role, 
/**
 * Since when, in seconds of Unix time.
 */
since: number, 
/**
 * What the tokens of a bot are called.
 */
tokens: Array<string>, 
/**
 * Until when they excluded themselves from play; null where they have not.
 */
excluded_until: number | null, 
/**
 * The suspension by an operator that is in force.
 */
suspension: SuspensionView | null, };

/**
 * How far a shoe is dealt.
 */
export type PileView = { 
/**
 * How many cards are left.
 */
left: number, 
/**
 * How many lie in the discard rack.
 */
discarded: number, 
/**
 * How many of those left lie before the cut card.
 */
before_cut_card: number | null, 
/**
 * Whether the cut card has come out.
 */
cut_card_reached: boolean, };

/**
 * Where cards lie.
 */
export type Place = "dealer" | { "hand": { 
/**
 * The box, counted from 1.
 */
seat: number, 
/**
 * The hand, counted from 1.
 */
hand: number, } };

/**
 * Rounds of a player at one table, void ones left out, with no pause of more than 15 minutes between them.
 */
export type PlayedSession = { 
/**
 * The table.
 */
table: string, 
/**
 * The name of the game.
 */
game: string, 
/**
 * The game as it stands on the sign.
 */
title: string, 
/**
 * When the bets of the first round closed, in seconds of Unix time.
 */
since: number, 
/**
 * How many seconds it was from then to the end of the last round.
 */
seconds: number, 
/**
 * How many rounds.
 */
rounds: number, 
/**
 * What they came to, with its sign and with later corrections.
 */
net: string, };

/**
 * What a player does.
 */
export type PlayerCommand = { "type": "sit", 
/**
 * Counted from 1.
 */
seat: number, 
/**
 * Whether to stand behind whoever sits there (DAB-13-a).
 */
behind?: boolean, } | { "type": "leave", 
/**
 * Which one, as in `View.mine`; needed only with several.
 */
at?: string, } | { "type": "buy_in", 
/**
 * In dollars.
 */
amount: string, } | { "type": "wager", 
/**
 * How much on which circle.
 */
amounts: Array<OnCircle>, 
/**
 * At which place of one's own; by default the first.
 */
at?: string, } | { "type": "clear", 
/**
 * At which place of one's own; by default the first.
 */
at?: string, } | { "type": "ready" } | { "type": "inspect" } | { "type": "spread" } | { "type": "commit", 
/**
 * 64 hexadecimal digits in lower case; null adds nothing, so that nobody waits for it.
 */
commitment: string | null, } | { "type": "open", 
/**
 * 64 hexadecimal digits in lower case.
 */
bytes: string, } | { "type": "show_burn" } | { "type": "consent", 
/**
 * The box, counted from 1.
 */
seat: number, 
/**
 * Who may.
 */
player: string, } | { "type": "revoke", 
/**
 * The box, counted from 1.
 */
seat: number, 
/**
 * Whose consent ends.
 */
player: string, } | { "type": "ask", 
/**
 * The box, counted from 1.
 */
seat: number, } | { "type": "company", 
/**
 * At most `View.company.most`; 0 sends all of them away.
 */
players: number, } | { "type": "cut", 
/**
 * How many go from the front to the back; null refuses the cut.
 */
at: number | null, } | { "type": "act", 
/**
 * A call that is on offer.
 */
call: string, 
/**
 * The amount that goes with it, if it takes one.
 */
amount: string | null, 
/**
 * The hand that keeps the wager when a split is passed (DAB-13-f).
 */
hand?: number, 
/**
 * At which place of one's own; by default the one that is asked.
 */
at?: string, } | { "type": "choose", 
/**
 * One of `View.choices`.
 */
choice: string, };

/**
 * What a player had after a round, or after the cashier gave something.
 */
export type PointView = { 
/**
 * In seconds of Unix time.
 */
at: number, 
/**
 * All money, in the account and in racks, in dollars.
 */
total: string, 
/**
 * What came or went, with its sign.
 */
gain: string, 
/**
 * The table; null where the cashier gave it.
 */
table: string | null, 
/**
 * The round; null where the cashier gave it.
 */
round: number | null, };

/**
 * The body of `POST /api/tables`.
 */
export type PrivateTable = { 
/**
 * The name of the game.
 */
game: string, 
/**
 * The terms that are not as by default, by their keys.
 */
terms: { [key in string]: string }, };

/**
 * How likely something wins, is pushed and loses: 1 in all.
 */
export type ProspectsView = { 
/**
 * How likely it wins.
 */
win: number, 
/**
 * How likely it is pushed.
 */
push: number, 
/**
 * How likely it loses, in part or in whole.
 */
lose: number, };

/**
 * What somebody has away from the tables.
 */
export type Purse = { 
/**
 * The name.
 */
name: string, 
/**
 * The money that is not at a table, in dollars.
 */
balance: string, };

/**
 * A question.
 */
export type QuestionView = { 
/**
 * Its name, which the answer repeats.
 */
name: string, 
/**
 * The drill.
 */
drill: string, 
/**
 * The hand, where a decision is asked for, with the value of every act.
 */
shown: HandShown | null, 
/**
 * The field of the strategy that it is in: `hard 16 T`.
 */
field: string | null, 
/**
 * What the strategy says.
 */
chart: string | null, 
/**
 * The true count, where it matters.
 */
true_count: number | null, 
/**
 * The count, where a number is asked for.
 */
count: CountQuestion | null, };

/**
 * What somebody has at a table, in dollars.
 */
export type RackView = { 
/**
 * The table.
 */
table: string, 
/**
 * The chips in the rack.
 */
chips: string, 
/**
 * What lies on the layout and is not decided.
 */
staked: string, };

/**
 * What a card of a rank that is gone changes.
 */
export type RankEffect = { 
/**
 * The letter of the rank.
 */
rank: string, 
/**
 * The change of the net gain on average.
 */
change: number, };

/**
 * A refusal, and what it rests on.
 */
export type Refusal = { 
/**
 * What a program tells refusals apart by; it never changes: `above-table-maximum`.
 */
code: string, 
/**
 * What the sentence names, for a client that says it in other words: `most`.
 */
parameters: { [key in string]: Parameter }, 
/**
 * What a dealer would point to.
 */
source: Source, 
/**
 * The refusal in English, without its source.
 */
sentence: string, };

/**
 * What a card of each rank that is gone does to a wager.
 */
export type RemovalView = { 
/**
 * The circle.
 */
bet: string, 
/**
 * The way of playing.
 */
policy: string, 
/**
 * The change of the net gain on average, by rank.
 */
ranks: Array<RankEffect>, 
/**
 * Whether some rank matters more than another, so that cards can be counted.
 */
countable: boolean, };

/**
 * What became of a wager.
 */
export type ResultView = { 
/**
 * The hand that it lay on, counted from 1.
 */
hand: number, 
/**
 * The name of the circle.
 */
circle: string, 
/**
 * What lay there; null for an award that had no stake.
 */
stake: string | null, 
/**
 * Won or lost, with its sign.
 */
gain: string, 
/**
 * What was decided.
 */
end: WagerEnd, 
/**
 * At which odds it won; null where it did not, or is an award.
 */
odds: OddsView | null, 
/**
 * What decided it, as a code: `dealer-bust`.
 */
why: string, 
/**
 * The clause that says so.
 */
clause: string, };

/**
 * What decisions cost in a player's own rounds, the last one first: the answer to `GET /api/review`.
 */
export type ReviewView = { 
/**
 * The rounds.
 */
rounds: Array<ReviewedRound>, 
/**
 * What to ask for as `before` to get earlier ones; null where there are none.
 */
before: number | null, };

/**
 * A decision, and what every open act was worth.
 */
export type ReviewedDecision = { 
/**
 * The entry of the log: `seq` of a step of the round.
 */
seq: number, 
/**
 * The place: `3`, or `3b`.
 */
at: string, 
/**
 * The field of the strategy that it is in, such as `hard 16 T`, to train it; null where it is in none.
 */
field: string | null, 
/**
 * The acts, the best one first.
 */
acts: Array<ActValueView>, 
/**
 * Which of them was chosen, counted from 0.
 */
chosen: number, 
/**
 * How good that was.
 */
grade: Grade, };

/**
 * A round that is over, and what the player's decisions in it cost.
 */
export type ReviewedRound = { 
/**
 * The table.
 */
table: string, 
/**
 * The name of the game.
 */
game: string, 
/**
 * The game as it stands on the sign.
 */
title: string, 
/**
 * The house options of the table that are not the default, as a link names them.
 */
options: string, 
/**
 * Its number at that table.
 */
round: number, 
/**
 * When it was over, in seconds of Unix time.
 */
at: number, 
/**
 * What the player won or lost, without later corrections, in dollars; null where it is not reviewed.
 */
net: string | null, 
/**
 * The review; null where there is none.
 */
review: RoundReview | null, 
/**
 * Why there is none.
 */
no_review: NoReview | null, };

/**
 * What somebody may do in the house.
 */
export type Role = "player" | "dealer" | "supervisor" | "auditor" | "operator";

/**
 * A round that is over.
 */
export type RoundLine = { 
/**
 * The table.
 */
table: string, 
/**
 * The name of the game.
 */
game: string, 
/**
 * The game as it stands on the sign.
 */
title: string, 
/**
 * Its number at that table.
 */
round: number, 
/**
 * The shoe that it was dealt from.
 */
shoe: number, 
/**
 * When it was over, in seconds of Unix time.
 */
at: number, 
/**
 * Whether it was void, and everything was undone (G-03).
 */
void: boolean, 
/**
 * What the player won or lost in all, with later corrections; null without a wager.
 */
net: string | null, 
/**
 * What became of each wager of that player, when the round was over.
 */
wagers: Array<WagerLine>, 
/**
 * Later corrections, for anybody.
 */
corrections: Array<CorrectionLine>, };

/**
 * What a player's decisions in a round cost. Expectation, play and luck are the net.
 */
export type RoundReview = { 
/**
 * What the opening wagers are worth by the best play, given the cards of the shoe that the player had
 * seen, in dollars.
 */
expectation: number, 
/**
 * What the decisions cost compared with the best ones, in dollars: never above nothing.
 */
play: number, 
/**
 * The rest, in dollars. It averages to nothing.
 */
luck: number, 
/**
 * Every decision that could be valued, in order.
 */
decisions: Array<ReviewedDecision>, 
/**
 * How many could not; what they cost counts as luck.
 */
unvalued: number, };

/**
 * Rounds that follow each other.
 */
export type RoundSpan = { 
/**
 * The first.
 */
first: number, 
/**
 * The last.
 */
last: number, };

/**
 * A step of a round.
 */
export type RoundStep = { 
/**
 * Its entry in the log.
 */
seq: number, 
/**
 * The version of the table after it.
 */
version: number, 
/**
 * What happened, in lines of the log; without what was not for this viewer.
 */
events: Array<string>, 
/**
 * The same in codes, for what is worth a sentence.
 */
story: Array<StoryLine>, 
/**
 * What this viewer saw after it.
 */
view: View, };

/**
 * A round that is over, step by step: the answer to `GET /api/rounds/TABLE/ROUND`.
 */
export type RoundView = { 
/**
 * The table as it was then.
 */
about: AboutTable, 
/**
 * The round, counted from 1.
 */
round: number, 
/**
 * The shoe that it was dealt from.
 */
shoe: number, 
/**
 * When it was over, in seconds of Unix time.
 */
at: number, 
/**
 * Whether it was void, and everything was undone (G-03).
 */
void: boolean, 
/**
 * What happened, from "No more bets" on.
 */
steps: Array<RoundStep>, 
/**
 * What became of every wager.
 */
wagers: Array<WagerLine>, 
/**
 * Later corrections.
 */
corrections: Array<CorrectionLine>, 
/**
 * The round in the notation, which `pitboss check` plays.
 */
transcript: string, };

/**
 * Rounds that are over, the last one first: the answer to `GET /api/rounds`.
 */
export type RoundsView = { 
/**
 * The rounds.
 */
rounds: Array<RoundLine>, 
/**
 * What to ask for as `before` to get earlier ones; null where there are none.
 */
before: number | null, };

/**
 * A ruling.
 */
export type RulingView = { 
/**
 * Its id.
 */
id: string, 
/**
 * What it is about.
 */
title: string, 
/**
 * What holds.
 */
decision: string, };

/**
 * What changed at a seat: a field that is left out is as it was.
 */
export type SeatChange = { 
/**
 * Counted from 1.
 */
seat: number, 
/**
 * Who sits there.
 */
name?: string | null, 
/**
 * Whether that is a program.
 */
bot?: boolean, 
/**
 * Whether that person is not there: the connection is lost, and the place kept for a while.
 */
away?: boolean, 
/**
 * Whether no wager of theirs is taken before the next shuffle (no mid-shoe entry).
 */
waits?: boolean, 
/**
 * The chips before the seat.
 */
rack?: string | null, 
/**
 * Whether no further wager will come.
 */
ready?: boolean, 
/**
 * What lies on the layout and is not decided.
 */
wagers?: Array<WagerView>, 
/**
 * The cards of each hand; `??` is face down, or not for this viewer.
 */
hands?: Array<Array<string>>, 
/**
 * How many of the first cards of each hand are for whoever has the box alone, who lifts them.
 */
lifted?: Array<number>, 
/**
 * Whether the last card of each hand came of a double, and lies sideways (DAB-8-a, FBB-8-c).
 */
sideways?: Array<boolean>, 
/**
 * Whether each hand is surrendered and not settled, so that its wager lies on its cards.
 */
surrendered?: Array<boolean>, 
/**
 * What each hand makes, where the game counts it and the viewer sees all of it.
 */
holds?: Array<Holds | null>, 
/**
 * The hand that is played, counted from 1.
 */
playing?: number | null, 
/**
 * What became of the wagers of this round or the last one.
 */
results?: Array<ResultView>, 
/**
 * Who else bets on the box.
 */
behind?: Array<BehindView>, 
/**
 * Who asks to (DAB-13-a).
 */
asking?: Array<string>, };

/**
 * A seat.
 */
export type SeatView = { 
/**
 * Counted from 1.
 */
seat: number, 
/**
 * Who sits there.
 */
name: string | null, 
/**
 * Whether that is a program.
 */
bot: boolean, 
/**
 * Whether that person is not there: the connection is lost, and the place kept for a while.
 */
away: boolean, 
/**
 * Whether no wager of theirs is taken before the next shuffle (no mid-shoe entry).
 */
waits: boolean, 
/**
 * The chips before the seat.
 */
rack: string | null, 
/**
 * Whether no further wager will come.
 */
ready: boolean, 
/**
 * What lies on the layout and is not decided.
 */
wagers: Array<WagerView>, 
/**
 * The cards of each hand; `??` is face down, or not for this viewer.
 */
hands: Array<Array<string>>, 
/**
 * How many of the first cards of each hand are for whoever has the box alone, who lifts them.
 */
lifted: Array<number>, 
/**
 * Whether the last card of each hand came of a double, and lies sideways (DAB-8-a, FBB-8-c).
 */
sideways: Array<boolean>, 
/**
 * Whether each hand is surrendered and not settled, so that its wager lies on its cards.
 */
surrendered: Array<boolean>, 
/**
 * What each hand makes, where the game counts it and the viewer sees all of it.
 */
holds: Array<Holds | null>, 
/**
 * The hand that is played, counted from 1.
 */
playing: number | null, 
/**
 * What became of the wagers of this round or the last one.
 */
results: Array<ResultView>, 
/**
 * Who else bets on the box.
 */
behind: Array<BehindView>, 
/**
 * Who asks to (DAB-13-a).
 */
asking: Array<string>, };

/**
 * The body of `POST /api/me/exclusion`: nobody can shorten it, and oneself can only extend it.
 */
export type SelfExclusion = { 
/**
 * Until when one does not play, in seconds of Unix time.
 */
until: number, };

/**
 * The clock and the bounds of a player.
 */
export type SessionView = { 
/**
 * When the visit began, in seconds of Unix time; null without a socket in the last 5 minutes.
 */
since: number | null, 
/**
 * What the house's clock says now, in seconds of Unix time.
 */
now: number, 
/**
 * Minutes in the house since midnight UTC.
 */
minutes_today: number, 
/**
 * Won or lost on this visit, with its sign; what lies on the layout counts as lost.
 */
net: string, 
/**
 * The same since midnight UTC.
 */
net_today: string, 
/**
 * The most that may be lost in a day, in dollars.
 */
loss: BoundView, 
/**
 * The most minutes in a day.
 */
minutes: BoundView, 
/**
 * Why no chips are sold and no wagers taken now.
 */
held: Refusal | null, };

/**
 * A cut of a shoe.
 */
export type ShoeCutView = { 
/**
 * Who cut; null where the cut was drawn, or the dealer of a physical table cut.
 */
by: string | null, 
/**
 * How many cards went from the front to the back.
 */
at: number, };

/**
 * What is needed to check a shoe: the answer to `GET /api/shoes/TABLE/SHOE`.
 */
export type ShoeRecordView = { 
/**
 * The table.
 */
table: string, 
/**
 * The name of the game.
 */
game: string, 
/**
 * The shoe, counted from 1.
 */
shoe: number, 
/**
 * When it was shuffled, in seconds of Unix time.
 */
at: number, 
/**
 * The commitment to its order; empty where nobody knew it.
 */
seal: string, 
/**
 * How many cards it held.
 */
size: number, 
/**
 * Which cards it holds by the rules; null where those are the discards of a round that ran out
 * of cards (G-18).
 */
decks: DecksView | null, 
/**
 * The id of the house to which players committed.
 */
house: string, 
/**
 * What players added to the order, from the dealer's far left.
 */
contributions: Array<ContributionView>, 
/**
 * How often cards went from the front to the back.
 */
cuts: Array<ShoeCutView>, 
/**
 * The fewest cards that a cut could take.
 */
cut_least: number, 
/**
 * The most.
 */
cut_most: number, 
/**
 * Who had a sealed order cut again; null where nobody did.
 */
recut_by: string | null, 
/**
 * Why it was retired before a round was dealt from it; null where it was not.
 */
unplayed: string | null, 
/**
 * The cards that have left it, the first one first; `??` where nobody has seen it.
 */
dealt: Array<string>, 
/**
 * The salt of the commitment, once the shoe is retired.
 */
salt: string | null, 
/**
 * The order before mix and cut, once the shoe is retired.
 */
order: Array<string> | null, 
/**
 * The first and the last round that were dealt from it.
 */
rounds: RoundSpan | null, 
/**
 * The first entry of the log that is about it, for `GET /api/export/TABLE?from=…&to=…`.
 */
first_entry: number, 
/**
 * The last one.
 */
last_entry: number, };

/**
 * A shoe: what stays the same from its shuffle on.
 */
export type ShoeView = { 
/**
 * Counted from 1.
 */
number: number, 
/**
 * The commitment to its order; empty where nobody knows it.
 */
seal: string, 
/**
 * How many cards it held.
 */
size: number, 
/**
 * Which of two batches it is made of, whose backs differ in colour: 1 or 2.
 */
batch: number, };

/**
 * The body of `POST /api/account`.
 */
export type SignUp = { 
/**
 * The name of the account; a guest who leaves it out keeps the name.
 */
name?: string, 
/**
 * The password.
 */
password: string, };

/**
 * A sign at a table.
 */
export type SignView = { 
/**
 * What a program tells signs apart by; it never changes: `no-mid-shoe-entry`.
 */
code: string, 
/**
 * What it says.
 */
words: string, 
/**
 * The clause behind it.
 */
clause: string, };

/**
 * What a refusal rests on.
 */
export type Source = { "type": "clause", "id": string } | { "type": "ruling", "id": string } | { "type": "term", "id": string } | { "type": "own" } | { "type": "house" };

/**
 * What play has come to for a player: the answer to `GET /api/me/statistics`.
 */
export type Statistics = { 
/**
 * How many seconds the player has been in the house.
 */
seconds: number, 
/**
 * Whether more expectations will be known in a moment, for whoever asks again.
 */
pending: boolean, 
/**
 * The games that the player has played.
 */
games: Array<GameStatistics>, 
/**
 * The latest sessions, the latest first.
 */
sessions: Array<PlayedSession>, };

/**
 * Something that happened and is worth a sentence. Places are as in `View.mine`, cards as in a view.
 */
export type StoryLine = { "type": "sat-down", at: string, player: string, } | { "type": "left", at: string, player: string, } | { "type": "in-front", at: string, player: string, } | { "type": "consented", seat: number, player: string, } | { "type": "revoked", seat: number, player: string, } | { "type": "admitted", at: string, } | { "type": "bought-in", at: string, amount: string, } | { "type": "dealer", player: string, } | { "type": "new-cards" } | { "type": "cards-due" } | { "type": "spread-face-up" } | { "type": "spread-face-down" } | { "type": "inspected", at: string, } | { "type": "sealed", cards: number, } | { "type": "shuffled", cards: number, } | { "type": "loaded" } | { "type": "committed", players: number, } | { "type": "not-opened", places: Array<string>, } | { "type": "cut-refused", at: string, } | { "type": "cut", at: string, } | { "type": "cut-by-dealer" } | { "type": "burned" } | { "type": "burn-shown", cards: Array<string>, } | { "type": "cut-card" } | { "type": "revealed", shoe: number, } | { "type": "no-more-bets" } | { "type": "dealers-card" } | { "type": "card", seat: number, card: string, } | { "type": "dealer-card", card: string, } | { "type": "face-down" } | { "type": "turned", card: string, } | { "type": "total", seat: number, holds: Holds, } | { "type": "hand-total", seat: number, hand: number, holds: Holds, } | { "type": "dealer-total", holds: Holds, } | { "type": "blackjack", seat: number, } | { "type": "dealer-blackjack" } | { "type": "no-dealer-blackjack" } | { "type": "acted", at: string, call: string, 
/**
 * The call in English.
 */
words: string, 
/**
 * Whether the time was up, and the dealer went on as the book has it then.
 */
timed_out: boolean, } | { "type": "settled", at: string, circle: string, 
/**
 * What is printed on the felt.
 */
title: string, end: WagerEnd, odds: OddsView | null, 
/**
 * Won or lost, with its sign.
 */
gain: string, } | { "type": "reversed" } | { "type": "reported", kind: string, 
/**
 * The kind in English.
 */
words: string, } | { "type": "ordered", by: string, because: string, } | { "type": "decision", order: string, 
/**
 * What the dealer says, in English.
 */
words: string, } | { "type": "chose", at: string, choice: string, 
/**
 * The choice in English.
 */
words: string, } | { "type": "drawn", card: string, } | { "type": "discarded", card: string, } | { "type": "removed", card: string, } | { "type": "burn-forgotten" } | { "type": "reader-out" } | { "type": "reader-repaired" } | { "type": "held", at: string, } | { "type": "extended", at: string, } | { "type": "corrected", round: number, amount: string, from: string, to: string, };

/**
 * What a supervisor does.
 */
export type SupervisorCommand = { "type": "report", 
/**
 * What.
 */
irregularity: Irregularity, 
/**
 * Whether it was staged for training.
 */
injected?: boolean, } | { "type": "order", 
/**
 * One of `View.outcomes`, or `dismiss`.
 */
order: Order, 
/**
 * Why.
 */
because?: string, } | { "type": "correct", 
/**
 * The round.
 */
round: number, 
/**
 * In dollars.
 */
amount: string, 
/**
 * Who gives it.
 */
from: Party, 
/**
 * Who gets it.
 */
to: Party, 
/**
 * Why.
 */
because: string, } | { "type": "approve", 
/**
 * One of `OrdersView.waiting`.
 */
correction: number, } | { "type": "refuse", 
/**
 * One of `OrdersView.waiting`.
 */
correction: number, } | { "type": "unseat", 
/**
 * The place: `3`, or `3b`.
 */
at: string, 
/**
 * Why.
 */
because: string, } | { "type": "change_dealer", 
/**
 * The dealer's name.
 */
dealer: string, };

/**
 * A suspension by an operator.
 */
export type SuspensionView = { 
/**
 * Until when, in seconds of Unix time; null until an operator lifts it.
 */
until: number | null, };

/**
 * A round, and what it came to.
 */
export type SwingView = { 
/**
 * The table.
 */
table: string, 
/**
 * The round.
 */
round: number, 
/**
 * With its sign.
 */
net: string, };

/**
 * A house option.
 */
export type TermView = { 
/**
 * Its one name.
 */
key: string, 
/**
 * What the house chose.
 */
value: string, 
/**
 * What it decides.
 */
meaning: string, };

/**
 * A token, told once: the answer to `POST /api/people/NAME/tokens`.
 */
export type TokenView = { 
/**
 * What it is called.
 */
label: string, 
/**
 * The token itself: `Authorization: Bearer TOKEN`.
 */
token: string, 
/**
 * Until when it holds, in seconds of Unix time.
 */
until: number, };

/**
 * An answer.
 */
export type TrainingAnswer = { 
/**
 * The name of the question.
 */
question: string, 
/**
 * A call, or a whole number.
 */
answer: string, 
/**
 * How long it took.
 */
milliseconds: number, };

/**
 * What was answered in a drill on a day.
 */
export type TrainingDay = { 
/**
 * Days since 1970.
 */
day: number, 
/**
 * The drill.
 */
drill: string, 
/**
 * Answers.
 */
answers: number, 
/**
 * How many of them were right.
 */
right: number, 
/**
 * How long an answer took on average, in seconds.
 */
seconds: number, 
/**
 * What an answer cost on average, in units of the main wager.
 */
cost: number, };

/**
 * The answer to `POST /api/train/GAME`.
 */
export type TrainingView = { 
/**
 * What the answer was worth, where there was one.
 */
graded: GradeView | null, 
/**
 * The next question.
 */
question: QuestionView, 
/**
 * The drills of the game at these options.
 */
drills: Array<string>, 
/**
 * How many decisions the strategy has that are drilled.
 */
decisions: number, 
/**
 * How many of them lie in each box: the first is asked soonest, the last hardly any more.
 */
boxes: Array<number>, 
/**
 * What was answered on each day, the earliest first.
 */
days: Array<TrainingDay>, };

/**
 * Asks for a question, and perhaps answers the one before: the body of `POST /api/train/GAME`.
 */
export type TrainingWanted = { 
/**
 * The drill: `decision`, `hand`, `running`, `true` or `deviation`.
 */
drill: string, 
/**
 * House options with a space between them, such as `decks=8 seats=6`.
 */
set?: string, 
/**
 * The decision to begin with, as [`ReviewedDecision`](crate::ReviewedDecision) names it.
 */
field?: string, 
/**
 * The answer to the question before.
 */
answer?: TrainingAnswer, };

/**
 * How sure a value is.
 */
export type ValueMethod = "exact" | "bound" | "simulated";

/**
 * What the decisions are worth that a player is asked for now: the answer to
 * `GET /api/tables/TABLE/values`.
 */
export type ValuesView = { 
/**
 * The round.
 */
round: number, 
/**
 * One for each of the player's places that is asked.
 */
decisions: Array<DecisionValues>, };

/**
 * What a viewer sees of a table: never a card that is not for that viewer's eyes.
 */
export type View = { 
/**
 * The seats from the dealer's far left.
 */
seats: Array<SeatView>, 
/**
 * The name of the table.
 */
table: string, 
/**
 * The number of the round in play, or of the next one.
 */
round: number, 
/**
 * Whether wagers are taken.
 */
betting: boolean, 
/**
 * The dealer's cards; `??` is face down.
 */
dealer: Array<string>, 
/**
 * What the dealer's open cards make, where the game counts it.
 */
dealer_holds: Holds | null, 
/**
 * The cards burned in this round.
 */
burned: number, 
/**
 * The shoe: what stays the same from its shuffle on.
 */
shoe: ShoeView | null, 
/**
 * How far it is dealt.
 */
pile: PileView | null, 
/**
 * What players add to its order; null where that is not known any more, or there is nothing
 * to add to.
 */
mix: MixView | null, 
/**
 * What the table waits for.
 */
awaited: Awaited, 
/**
 * The viewer's first seat.
 */
me: number | null, 
/**
 * Every place of the viewer: `3`, or `3b` behind somebody else.
 */
mine: Array<string>, 
/**
 * Where the viewer may cut, when asked to.
 */
cut: CutView | null, 
/**
 * What is open to the viewer.
 */
offers: Array<Offer>, 
/**
 * What the viewer may choose after something went wrong.
 */
choices: Array<Choice>, 
/**
 * What the supervisor may order; empty for everybody else.
 */
outcomes: Array<Order>, 
/**
 * Whether the cards lie spread for the players to look at: face up or not; null where they
 * do not.
 */
spread: boolean | null, 
/**
 * The progressive meter.
 */
meter: string | null, 
/**
 * What the dealer says now.
 */
prompt: string, 
/**
 * What the hands of a physical table's dealer do next; empty for everybody else.
 */
procedure: Array<string>, 
/**
 * Why nothing is taken at the moment, where something could not be written down.
 */
trouble: Refusal | null, 
/**
 * Why no wager of the viewer is taken before the next shuffle, who may sit down nevertheless:
 * where a sign bars entry in mid-shoe. Null where one is taken in the next round.
 */
barred: Refusal | null, 
/**
 * About how many seconds it is until that shuffle, as fast as the shoe has been dealt; null
 * where that is not known, or nobody waits for it.
 */
shuffle_in: number | null, 
/**
 * Why the table stands still until a supervisor decides, and the clause that says so.
 */
frozen: Refusal | null, 
/**
 * The house players who keep people company; null where the house has none at this table.
 */
company: CompanyView | null, };

/**
 * What changed in a view: a field that is left out is as it was.
 */
export type ViewChange = { 
/**
 * The seats that changed.
 */
seats?: Array<SeatChange>, 
/**
 * The name of the table.
 */
table?: string, 
/**
 * The number of the round in play, or of the next one.
 */
round?: number, 
/**
 * Whether wagers are taken.
 */
betting?: boolean, 
/**
 * The dealer's cards; `??` is face down.
 */
dealer?: Array<string>, 
/**
 * What the dealer's open cards make, where the game counts it.
 */
dealer_holds?: Holds | null, 
/**
 * The cards burned in this round.
 */
burned?: number, 
/**
 * The shoe: what stays the same from its shuffle on.
 */
shoe?: ShoeView | null, 
/**
 * How far it is dealt.
 */
pile?: PileView | null, 
/**
 * What players add to its order; null where that is not known any more, or there is nothing
 * to add to.
 */
mix?: MixView | null, 
/**
 * What the table waits for.
 */
awaited?: Awaited, 
/**
 * The viewer's first seat.
 */
me?: number | null, 
/**
 * Every place of the viewer: `3`, or `3b` behind somebody else.
 */
mine?: Array<string>, 
/**
 * Where the viewer may cut, when asked to.
 */
cut?: CutView | null, 
/**
 * What is open to the viewer.
 */
offers?: Array<Offer>, 
/**
 * What the viewer may choose after something went wrong.
 */
choices?: Array<Choice>, 
/**
 * What the supervisor may order; empty for everybody else.
 */
outcomes?: Array<Order>, 
/**
 * Whether the cards lie spread for the players to look at: face up or not; null where they
 * do not.
 */
spread?: boolean | null, 
/**
 * The progressive meter.
 */
meter?: string | null, 
/**
 * What the dealer says now.
 */
prompt?: string, 
/**
 * What the hands of a physical table's dealer do next; empty for everybody else.
 */
procedure?: Array<string>, 
/**
 * Why nothing is taken at the moment, where something could not be written down.
 */
trouble?: Refusal | null, 
/**
 * Why no wager of the viewer is taken before the next shuffle, who may sit down nevertheless:
 * where a sign bars entry in mid-shoe. Null where one is taken in the next round.
 */
barred?: Refusal | null, 
/**
 * About how many seconds it is until that shuffle, as fast as the shoe has been dealt; null
 * where that is not known, or nobody waits for it.
 */
shuffle_in?: number | null, 
/**
 * Why the table stands still until a supervisor decides, and the clause that says so.
 */
frozen?: Refusal | null, 
/**
 * The house players who keep people company; null where the house has none at this table.
 */
company?: CompanyView | null, };

/**
 * How a wager ended.
 */
export type WagerEnd = "pay" | "pay-and-collect" | "push" | "take" | "take-half" | "return" | "remove-lammer" | "award" | "envy";

/**
 * What became of a wager of a round that is over.
 */
export type WagerLine = { 
/**
 * Whose.
 */
name: string, 
/**
 * The place: `3`, or `3b`.
 */
at: string, 
/**
 * The hand that it lay on, counted from 1.
 */
hand: number, 
/**
 * The name of the circle.
 */
circle: string, 
/**
 * What is printed on the felt.
 */
title: string, 
/**
 * What lay there; null for an award that had no stake.
 */
stake: string | null, 
/**
 * Whether it was a lammer of the house and not money.
 */
free: boolean, 
/**
 * Won or lost, with its sign.
 */
gain: string, 
/**
 * The clause that says so.
 */
clause: string, };

/**
 * What a wager is worth, played in one way. Numbers are for each unit of it.
 */
export type WagerOdds = { 
/**
 * The circle.
 */
bet: string, 
/**
 * The way of playing: `best`, `basic`, `war`, `surrender`, `any`.
 */
policy: string, 
/**
 * The net gain on average.
 */
ev: number, 
/**
 * The same as a fraction, where it is known as a short one.
 */
ev_exact: string | null, 
/**
 * The expected loss for each unit of all that is staked.
 */
element_of_risk: FigureView, 
/**
 * The standard deviation of the net gain.
 */
sd: FigureView, 
/**
 * How often it ends with a gain.
 */
hit_frequency: FigureView, 
/**
 * Every way in which it can end.
 */
outcomes: Array<OutcomeView>, 
/**
 * Remarks needed to read the numbers.
 */
notes: Array<string>, };

/**
 * A wager on the layout.
 */
export type WagerView = { 
/**
 * The hand that it lies on, counted from 1.
 */
hand: number, 
/**
 * The name of the circle.
 */
circle: string, 
/**
 * In dollars.
 */
amount: string, 
/**
 * Whether it is a lammer of the house and not money.
 */
free: boolean, };

/**
 * A correction that waits for a second supervisor.
 */
export type WaitingCorrection = { 
/**
 * Its number, for `approve` and `refuse`.
 */
id: number, 
/**
 * The round.
 */
round: number, 
/**
 * In dollars.
 */
amount: string, 
/**
 * The account that gives it.
 */
from: string, 
/**
 * The account that gets it.
 */
to: string, 
/**
 * The supervisor who asked for it.
 */
by: string, 
/**
 * Why.
 */
because: string, 
/**
 * When it was asked for, in seconds of Unix time.
 */
at: number, 
/**
 * When it expires, in seconds of Unix time.
 */
until: number, };
