// Exported by page.js as a global, because the scripts are concatenated without modules.

type StorageName = 'localStorage' | 'sessionStorage';

interface SharedScript {
  kept(name: string, storage?: StorageName): string | null;
  keep(name: string, value: string, storage?: StorageName): void;
  announce(text: string): void;
  showScheme(value: string | null): void;
  showFormError(form: HTMLFormElement, text: string): void;
  submitWith(
    form: HTMLFormElement,
    name: string,
    getValue: () => Promise<object>,
    errorText: string,
  ): Promise<void>;
}

// Only `var` declares a member of globalThis.
declare var notifier: SharedScript;
