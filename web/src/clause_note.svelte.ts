/** The clause that is open for reading. */
export const note = $state({ id: "" });

export function openClause(id: string): void {
  note.id = id;
}

export function closeClause(): void {
  note.id = "";
}
