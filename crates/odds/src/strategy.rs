//! Ways of playing, as charts that people read and programs follow.
