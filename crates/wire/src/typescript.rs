//! The types of the page, which are made from these and committed.

use std::collections::BTreeMap;

use ts_rs::{Config, TS, TypeVisitor};

use crate::*;

const TYPES: &str = "../../web/src/wire.ts";

/// Types and all that they are made of, by their names.
#[derive(Default)]
struct Declared(BTreeMap<String, String>);

impl TypeVisitor for Declared {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        let config = Config::new().with_large_int("number");
        let name = T::name(&config);
        if T::output_path().is_none() || self.0.contains_key(&name) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        self.0.insert(name, format!("{docs}export {}\n", T::decl(&config)));
        T::visit_dependencies(self);
    }
}

macro_rules! declare {
    ($($Type:ty),+ $(,)?) => {{
        let mut declared = Declared::default();
        $(declared.visit::<$Type>();)+
        declared.0.into_values().collect::<Vec<_>>()
    }};
}

#[test]
fn the_page_knows_these_types() {
    let types = declare![
        FromClient,
        FromSupervisor,
        FromHouse,
        Refusal,
        Me,
        Bankroll,
        Statistics,
        NewName,
        PrivateTable,
        People,
        TokenView,
        Events,
        OpenTable,
        ClauseView,
        OrdersView,
        ClosedCall,
        ValuesView,
        ReviewView,
        BackupView,
        RoundsView,
        RoundView,
        ShoeRecordView,
        BookView,
        SignUp,
        LogIn,
        LogOut,
        ChangePassword,
        OwnLimits,
        NewPerson,
        NewRole,
        NewPassword,
        NewToken,
        NewSuspension,
        SelfExclusion,
        OddsLine,
        TrainingWanted,
        TrainingView,
    ];
    let head = "// Made from crates/wire by its tests. Not to be changed here.\n";
    let protocol =
        format!("/** The version of this protocol. */\nexport const PROTOCOL = {PROTOCOL};\n");
    let types = format!("{head}\n{protocol}\n{}", types.join("\n"));
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(TYPES);
    if std::env::var_os("RENEW").is_some() {
        std::fs::write(&file, &types).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    let renew = "RENEW=1 cargo test -p pitboss-wire the_page_knows_these_types";
    assert!(committed == types, "web/src/wire.ts is stale; type: {renew}");
}
