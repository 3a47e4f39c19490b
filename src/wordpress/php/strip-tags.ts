// PHP's strip_tags without allowed tags, as its state machine: quotes, comments, declarations and code included.

type Place = 'text' | 'tag' | 'code' | 'declaration' | 'comment';

type Machine = {
  readonly text: string;
  place: Place;
  quote: string;
  /** The last significant character: `<`, `>`, `!`, `?`, a bracket or a quote. */
  last: string;
  depth: number;
  brackets: number;
  isXml: boolean;
};

export function stripTags(text: string): string {
  const machine: Machine = { text, place: 'text', quote: '', last: '', depth: 0, brackets: 0, isXml: false };
  let result = '';
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === '\0') continue;
    if (machine.place === 'text') result += inText(machine, letter, at);
    else if (machine.place === 'tag') inTag(machine, letter, at);
    else if (machine.place === 'code') inCode(machine, letter, at);
    else if (machine.place === 'declaration') inDeclaration(machine, letter, at);
    else inComment(machine, letter, at);
  }
  return result;
}

function inText(machine: Machine, letter: string, at: number): string {
  if (letter === '<' && !isBlank(machine.text.charAt(at + 1))) {
    machine.place = 'tag';
    machine.last = '<';
    return '';
  }
  if (letter === '>' && machine.depth > 0) {
    machine.depth -= 1;
    return '';
  }
  return letter;
}

function inTag(machine: Machine, letter: string, at: number): void {
  const before = machine.text.charAt(at - 1);
  if (letter === '<') {
    if (machine.quote === '' && !isBlank(machine.text.charAt(at + 1))) machine.depth += 1;
  } else if (letter === '>') {
    if (machine.depth > 0) {
      machine.depth -= 1;
    } else if (machine.quote === '') {
      machine.last = '>';
      if (!(machine.isXml && before === '-')) leave(machine);
    }
  } else if (letter === '"' || letter === "'") {
    toggleQuote(machine, letter, at);
  } else if (letter === '!' && before === '<') {
    machine.place = 'declaration';
    machine.last = '!';
  } else if (letter === '?' && before === '<') {
    machine.place = 'code';
    machine.brackets = 0;
  }
}

function inCode(machine: Machine, letter: string, at: number): void {
  const before = machine.text.charAt(at - 1);
  const inQuotes = machine.last === '"' || machine.last === "'";
  if (letter === '(' && !inQuotes) {
    machine.last = '(';
    machine.brackets += 1;
  } else if (letter === ')' && !inQuotes) {
    machine.last = ')';
    machine.brackets -= 1;
  } else if (letter === '>') {
    if (machine.depth > 0) {
      machine.depth -= 1;
    } else if (machine.quote === '' && machine.brackets === 0 && machine.last !== '"' && before === '?') {
      leave(machine);
    }
  } else if ((letter === '"' || letter === "'") && before !== '\\') {
    if (machine.last === letter) machine.last = '\0';
    else if (machine.last !== '\\') machine.last = letter;
    toggleQuote(machine, letter, at);
  } else if ((letter === 'l' || letter === 'L') && /^\?xm$/i.test(machine.text.slice(at - 3, at)) && at > 4) {
    machine.place = 'tag';
    machine.isXml = true;
  }
}

function inDeclaration(machine: Machine, letter: string, at: number): void {
  const { text } = machine;
  if (letter === '>') {
    if (machine.depth > 0) machine.depth -= 1;
    else if (machine.quote === '') leave(machine);
  } else if (letter === '"' || letter === "'") {
    if (text.charAt(at - 1) !== '\\') toggleQuote(machine, letter, at);
  } else if (letter === '-' && text.slice(at - 2, at) === '!-') {
    machine.place = 'comment';
  } else if ((letter === 'E' || letter === 'e') && at > 6 && /^doctyp$/i.test(text.slice(at - 6, at))) {
    machine.place = 'tag';
  }
}

function inComment(machine: Machine, letter: string, at: number): void {
  if (letter === '>' && machine.quote === '' && machine.text.slice(at - 2, at) === '--') leave(machine);
}

function leave(machine: Machine): void {
  machine.place = 'text';
  machine.quote = '';
  machine.isXml = false;
}

function toggleQuote(machine: Machine, letter: string, at: number): void {
  if (at === 0) return;
  if (machine.quote === '') machine.quote = letter;
  else if (machine.quote === letter) machine.quote = '';
}

const isBlank = (letter: string) => letter !== '' && ' \t\n\v\f\r'.includes(letter);
