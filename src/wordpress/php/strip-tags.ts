// PHP's strip_tags without allowed tags, as its state machine: quotes, comments, declarations and code included.

type State = 'text' | 'tag' | 'code' | 'declaration' | 'comment';

type Machine = {
  readonly text: string;
  state: State;
  quote: string;
  /** The last significant character: `<`, `>`, `!`, `?`, a bracket or a quote. */
  last: string;
  depth: number;
  brackets: number;
  isXml: boolean;
};

export function stripTags(text: string): string {
  const machine: Machine = { text, state: 'text', quote: '', last: '', depth: 0, brackets: 0, isXml: false };
  let result = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\0') continue;
    if (machine.state === 'text') result += inText(machine, char, at);
    else if (machine.state === 'tag') inTag(machine, char, at);
    else if (machine.state === 'code') inCode(machine, char, at);
    else if (machine.state === 'declaration') inDeclaration(machine, char, at);
    else inComment(machine, char, at);
  }
  return result;
}

function inText(machine: Machine, char: string, at: number): string {
  if (char === '<' && !isBlank(machine.text.charAt(at + 1))) {
    machine.state = 'tag';
    machine.last = '<';
    return '';
  }
  if (char === '>' && machine.depth > 0) {
    machine.depth -= 1;
    return '';
  }
  return char;
}

function inTag(machine: Machine, char: string, at: number): void {
  const before = machine.text.charAt(at - 1);
  if (char === '<') {
    if (machine.quote === '' && !isBlank(machine.text.charAt(at + 1))) machine.depth += 1;
  } else if (char === '>') {
    if (machine.depth > 0) {
      machine.depth -= 1;
    } else if (machine.quote === '') {
      machine.last = '>';
      if (!(machine.isXml && before === '-')) endTag(machine);
    }
  } else if (char === '"' || char === "'") {
    toggleQuote(machine, char, at);
  } else if (char === '!' && before === '<') {
    machine.state = 'declaration';
    machine.last = '!';
  } else if (char === '?' && before === '<') {
    machine.state = 'code';
    machine.brackets = 0;
  }
}

function inCode(machine: Machine, char: string, at: number): void {
  const before = machine.text.charAt(at - 1);
  const inQuotes = machine.last === '"' || machine.last === "'";
  if (char === '(' && !inQuotes) {
    machine.last = '(';
    machine.brackets += 1;
  } else if (char === ')' && !inQuotes) {
    machine.last = ')';
    machine.brackets -= 1;
  } else if (char === '>') {
    if (machine.depth > 0) {
      machine.depth -= 1;
    } else if (machine.quote === '' && machine.brackets === 0 && machine.last !== '"' && before === '?') {
      endTag(machine);
    }
  } else if ((char === '"' || char === "'") && before !== '\\') {
    if (machine.last === char) machine.last = '\0';
    else if (machine.last !== '\\') machine.last = char;
    toggleQuote(machine, char, at);
  } else if ((char === 'l' || char === 'L') && /^\?xm$/i.test(machine.text.slice(at - 3, at)) && at > 4) {
    machine.state = 'tag';
    machine.isXml = true;
  }
}

function inDeclaration(machine: Machine, char: string, at: number): void {
  const { text } = machine;
  if (char === '>') {
    if (machine.depth > 0) machine.depth -= 1;
    else if (machine.quote === '') endTag(machine);
  } else if (char === '"' || char === "'") {
    if (text.charAt(at - 1) !== '\\') toggleQuote(machine, char, at);
  } else if (char === '-' && text.slice(at - 2, at) === '!-') {
    machine.state = 'comment';
  } else if ((char === 'E' || char === 'e') && at > 6 && /^doctyp$/i.test(text.slice(at - 6, at))) {
    machine.state = 'tag';
  }
}

function inComment(machine: Machine, char: string, at: number): void {
  if (char === '>' && machine.quote === '' && machine.text.slice(at - 2, at) === '--') endTag(machine);
}

function endTag(machine: Machine): void {
  machine.state = 'text';
  machine.quote = '';
  machine.isXml = false;
}

function toggleQuote(machine: Machine, char: string, at: number): void {
  if (at === 0) return;
  if (machine.quote === '') machine.quote = char;
  else if (machine.quote === char) machine.quote = '';
}

const isBlank = (char: string) => char !== '' && ' \t\n\v\f\r'.includes(char);
