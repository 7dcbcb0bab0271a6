//! The progressive meter, shared by several tables.

use rules::money::Cents;
use rules::progressive::{Figures, Meter, Tab};

fn cents(dollars: i64) -> Cents {
    Cents::new(100 * dollars)
}

/// A meter of 1000 to which this round added 3 and rounds elsewhere 7.
fn shared() -> (Meter, Tab, Tab) {
    let mut meter = Meter::new(cents(1000));
    let (mut here, mut there) = (Tab::default(), Tab::default());
    meter.contribute(cents(3), &mut here);
    meter.contribute(cents(7), &mut there);
    assert_eq!(meter.amount(), cents(1010));
    (meter, here, there)
}

#[test]
fn it_grows_by_wagers_and_begins_again_after_a_hit() {
    // CW-11-b, CW-R19.
    let (mut meter, mut here, _) = shared();
    assert_eq!(meter.restore(&mut here), Cents::ZERO, "nobody has hit");
    assert_eq!(meter.award(cents(1010), &mut here), Cents::ZERO);
    assert_eq!(meter.amount(), Cents::ZERO);
    assert_eq!(meter.restore(&mut here), cents(1000));
    let figures = Figures {
        seeded: cents(1000),
        contributed: cents(10),
        awarded: cents(1010),
        awards: 1,
        restored: cents(1000),
        resets: 1,
        overflow: Cents::ZERO,
    };
    assert_eq!((meter.amount(), *meter.figures()), (cents(1000), figures));
}

#[test]
fn the_house_adds_what_several_hits_take_beyond_it() {
    // CW-R19: 1010 in three shares is 336.67 each, a cent more than there is; and where the
    // order of settlement decides, the second hit is paid the seed.
    let (mut meter, mut here, _) = shared();
    let share = Cents::new(33_667);
    assert_eq!([(); 3].map(|()| meter.award(share, &mut here).get()), [0, 0, 1]);
    assert_eq!((meter.figures().overflow.get(), meter.figures().awards), (1, 3));
    let (mut meter, mut here, _) = shared();
    meter.award(cents(1010), &mut here);
    assert_eq!(meter.award(cents(1000), &mut here), cents(1000));
    assert_eq!(meter.restore(&mut here), cents(1000));
    assert_eq!((meter.amount(), meter.figures().resets), (cents(1000), 1));
}

#[test]
fn what_others_add_between_a_hit_and_the_reset_stays_on_it() {
    let (mut meter, mut here, mut there) = shared();
    meter.award(cents(1010), &mut here);
    meter.contribute(cents(1), &mut there);
    assert_eq!(meter.restore(&mut here), cents(999));
    assert_eq!(meter.amount(), cents(1000));
}

#[test]
fn a_void_round_has_never_been() {
    // G-03: the other table's wagers stay, also those made since.
    let (mut meter, mut here, mut there) = shared();
    meter.award(cents(1010), &mut here);
    meter.award(cents(1000), &mut here);
    meter.restore(&mut here);
    meter.contribute(cents(2), &mut there);
    meter.reverse(here);
    assert_eq!(meter.amount(), cents(1009));
    let figures = Figures { seeded: cents(1000), contributed: cents(9), ..Figures::default() };
    assert_eq!(*meter.figures(), figures);
}

#[test]
fn a_wager_given_back_has_added_nothing() {
    // CW-R22, CW-10-d.
    let (mut meter, mut here, _) = shared();
    assert_eq!(meter.give_back(cents(1), &mut here), cents(1));
    assert_eq!(meter.amount(), cents(1009));
    meter.reverse(here);
    assert_eq!(meter.amount(), cents(1007));
}

#[test]
fn what_a_hit_elsewhere_was_paid_is_not_taken_back() {
    let (mut meter, mut here, mut there) = shared();
    meter.award(cents(1010), &mut there);
    meter.restore(&mut there);
    assert_eq!(meter.give_back(cents(3), &mut here), Cents::ZERO);
    meter.reverse(here);
    assert_eq!(meter.amount(), cents(1000));
}

#[test]
fn a_meter_may_begin_with_nothing() {
    // CW-R19: the seed is 0 or more.
    let mut meter = Meter::new(Cents::ZERO);
    let mut tab = Tab::default();
    meter.award(meter.amount(), &mut tab);
    assert_eq!(meter.restore(&mut tab), Cents::ZERO);
    assert_eq!((meter.amount(), meter.figures().resets), (Cents::ZERO, 1));
}

#[test]
#[should_panic(expected = "only what was added is taken back")]
fn nobody_takes_back_what_another_added() {
    let (mut meter, mut here, _) = shared();
    meter.give_back(cents(4), &mut here);
}
