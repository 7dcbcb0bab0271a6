/** What this browser keeps under a name of ours; null where it keeps nothing. */
export function read(name: string): string | null {
  try {
    return localStorage.getItem(`pitboss ${name}`);
  } catch {
    return null;
  }
}

/** Keeps something; where nothing may be kept, it holds for this page. */
export function write(name: string, value: string): void {
  try {
    localStorage.setItem(`pitboss ${name}`, value);
  } catch {
    // It holds for this page then.
  }
}
