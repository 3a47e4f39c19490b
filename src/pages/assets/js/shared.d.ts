// What page.js hands to the other scripts: one object, since they are joined into one file without modules.

interface SharedScript {
  kept(name: string): string | null;
  keep(name: string, value: string): void;
  announce(text: string): void;
  showScheme(value: string | null): void;
}

// Only a var becomes a member of globalThis.
declare var notifier: SharedScript;
