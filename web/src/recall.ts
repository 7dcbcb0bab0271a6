import type { AboutTable, View } from "./wire";

/** A round of ours, in one line. */
export interface RoundLine {
  table: string;
  game: string;
  title: string;
  round: number;
  shoe: number;
  at: number;
  net: string;
  wagers: { circle: string; gain: string }[];
}

export interface RoundsView {
  rounds: RoundLine[];
  before: string | null;
}

export interface RoundView {
  about: AboutTable;
  round: number;
  shoe: number;
  at: number;
  steps: { told: string[]; view: View }[];
  transcript: string;
}

export interface ShoeRecord {
  table: string;
  game: string;
  title: string;
  shoe: number;
  seal: string;
  contributions: { at: string; bytes: string }[];
  cuts: number[];
  salt: string | null;
  order: string | null;
  dealt: string[];
}
