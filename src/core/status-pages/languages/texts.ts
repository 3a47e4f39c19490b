import { type StatusLanguage, statusLanguages } from '../../../../schemas/status-pages.ts';
import { de } from './de.ts';
import { en, type StatusTexts } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { zh } from './zh.ts';

const texts: Readonly<Record<StatusLanguage, StatusTexts>> = { en, de, fr, es, it, nl, pt, pl, ja, zh };

export function textsOf(language: StatusLanguage): StatusTexts {
  return texts[language];
}

/** Of what was stored, which may be older than the program. */
export function textsOfStored(language: string): StatusTexts {
  return textsOf(statusLanguages.find((each) => each === language) ?? 'en');
}

/** Replaces names in braces. */
export function fillIn(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (match, name: string) => values[name] ?? match);
}

/** The same for content that is not text. */
export function fillInParts<Part>(
  template: string,
  values: Readonly<Record<string, Part>>,
): Array<string | Part> {
  return template.split(/(\{\w+\})/).map((part) => {
    const value = /^\{(\w+)\}$/.exec(part)?.[1];
    return value === undefined ? part : (values[value] ?? part);
  });
}
