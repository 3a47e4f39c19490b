import type { en } from './en.ts';

/** By category of `Intl.PluralRules`. */
export type PluralForms = Partial<Readonly<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

type English = typeof en;

/** What each language has: a missing text does not compile. */
export type StatusTexts = {
  readonly [Name in keyof English]: English[Name] extends string
    ? string
    : English[Name] extends PluralForms
      ? PluralForms
      : Readonly<Record<keyof English[Name], string>>;
};
