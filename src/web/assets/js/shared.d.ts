// Exported by page.js as a global, because the scripts are concatenated without modules.

interface SharedScript {
  kept(name: string): string | null;
  keep(name: string, value: string): void;
  announce(text: string): void;
  showScheme(value: string | null): void;
}

// Only `var` declares a member of globalThis.
declare var notifier: SharedScript;
