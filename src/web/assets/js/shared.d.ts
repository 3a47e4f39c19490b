// Exported by page.js as a global, because the scripts are concatenated without modules.

interface SharedScript {
  kept(name: string, storage?: 'localStorage' | 'sessionStorage'): string | null;
  keep(name: string, value: string, storage?: 'localStorage' | 'sessionStorage'): void;
  announce(text: string): void;
  showScheme(value: string | null): void;
  say(form: HTMLFormElement, text: string): void;
  submitWith(form: HTMLFormElement, name: string, ask: () => Promise<object>, refused: string): Promise<void>;
}

// Only `var` declares a member of globalThis.
declare var notifier: SharedScript;
