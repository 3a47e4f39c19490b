// Reads JUnit XML as it comes, in all the dialects of server-side.md section 3.2. Pure: text in, cases out.
// saxes refuses undefined entities, doubled attributes and unclosed tags; DOCTYPE, depth and attributes are bounded here.
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { parseMoment } from '../dates.ts';
import { badRequest, type RestError } from '../errors.ts';
import { junitContext } from './context.ts';
import type { CaseCollector } from './normalize.ts';
import type { RawCase, ReportedTotals, RunContext } from './report.ts';

const depthMax = 64;
const attributesMax = 200;
/** Of a longer text the head and the tail are kept while reading. */
const textCharactersMax = 65_536;
const propertiesMax = 200;

export interface JunitSummary {
  readonly reported: ReportedTotals | null;
  readonly reportName: string | null;
  readonly durationMs: number | null;
  readonly startedAtMs: number | null;
  readonly context: RunContext;
}

export interface JunitReader {
  write(text: string): void;
  /** @throws 400 when the report is cut off, not well-formed or not JUnit */
  end(): JunitSummary;
}

interface Suite {
  readonly name: string;
  readonly file: string | null;
  readonly hostname: string | null;
}

interface OpenCase {
  readonly name: string | null;
  readonly className: string;
  readonly attributes: Readonly<Record<string, string>>;
  error: Outcome | null;
  failure: Outcome | null;
  skipped: Outcome | null;
  readonly attempts: Array<Outcome & { word: string }>;
  flaky: boolean;
  stdout: string;
  stderr: string;
  readonly properties: Array<readonly [string, string]>;
}

interface Outcome {
  readonly message: string | null;
  readonly type: string | null;
  text: string;
}

/** The 400 for a report that cannot be read: says what kind of file was expected, what is wrong, and where. */
export function unreadableReport(sentence: string, extra: Record<string, number> = {}): RestError {
  return badRequest('notifier_test_run_unreadable', sentence, extra);
}

/** Starts reading one JUnit document; its cases go to `collector` as they close. */
export function createJunitReader(collector: CaseCollector, path = ''): JunitReader {
  const state = createState(collector, path);
  const parser = new SaxesParser({ xmlns: false, position: true });
  const refuse = (sentence: string): never => {
    const { line, column } = parser;
    throw unreadableReport(`The JUnit report ${sentence} (line ${line}, column ${column}).`, {
      line,
      column,
    });
  };
  let attributes = 0;
  parser.on('error', (error) => {
    const words = error.message.replace(/^(?:\S*:)?\d+:\d+: ?/, '').replace(/[\s.]+$/, '');
    refuse(`is cut off or not well-formed XML: ${words.slice(0, 200)}`);
  });
  parser.on('doctype', () => refuse('has a DOCTYPE, which is not taken'));
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > attributesMax) {
      refuse(`has an element with more than ${attributesMax} attributes`);
    }
  });
  parser.on('opentag', (tag) => {
    attributes = 0;
    if (state.depth() >= depthMax) {
      refuse(`is nested deeper than ${depthMax} levels`);
    }
    if (state.depth() === 0 && tag.name !== 'testsuites' && tag.name !== 'testsuite') {
      const name = tag.name.slice(0, 100);
      refuse(`is not JUnit: its root element is <${name}>, expected <testsuites> or <testsuite>`);
    }
    state.open(tag);
  });
  parser.on('closetag', (tag) => state.close(tag.name));
  parser.on('text', (text) => state.text(text));
  parser.on('cdata', (text) => state.text(text));
  let begun = false;
  return {
    write(text) {
      const clean = withoutControls(text, collector);
      const piece = begun ? clean : clean.trimStart();
      begun ||= piece !== '';
      parser.write(piece);
    },
    end() {
      if (!begun) {
        throw unreadableReport('The JUnit report is empty.');
      }
      parser.close();
      return state.summary();
    },
  };
}

/** Characters that XML forbids and that some tools write raw into messages. */
const forbiddenControls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function withoutControls(text: string, collector: CaseCollector): string {
  const clean = text.replaceAll(forbiddenControls, '');
  if (clean.length !== text.length) {
    collector.warn('control_characters', 'Control characters that XML forbids were taken out of the report.');
  }
  return clean;
}

function createState(collector: CaseCollector, path: string) {
  const elements: string[] = [];
  const suites: Suite[] = [];
  const properties: Record<string, string> = Object.create(null);
  const root: { name: string | null; attributes: Record<string, string> } = {
    name: null,
    attributes: Object.create(null),
  };
  const topSuites: Array<Record<string, string>> = [];
  let propertyCount = 0;
  let current: OpenCase | null = null;
  let outcome: Outcome | null = null;
  let cases = 0;

  const openSuite = (tag: SaxesTagPlain): void => {
    const attribute = attributesOf(tag);
    if (elements.length === 0) {
      root.name = attribute['name'] ?? null;
      root.attributes = attribute;
    }
    if (tag.name === 'testsuites') {
      return;
    }
    if (suites.length === 0) {
      topSuites.push(attribute);
    }
    suites.push({
      name: attribute['name'] ?? '',
      file: attribute['file'] ?? attribute['filepath'] ?? null,
      hostname: attribute['hostname'] ?? null,
    });
  };
  const openInCase = (tag: SaxesTagPlain, one: OpenCase): void => {
    const attribute = attributesOf(tag);
    const opened: Outcome = {
      message: attribute['message'] ?? null,
      type: attribute['type'] ?? null,
      text: '',
    };
    if (tag.name === 'error') {
      one.error = outcome = one.error ?? opened;
    } else if (tag.name === 'failure') {
      one.failure = outcome = one.failure ?? opened;
    } else if (tag.name === 'skipped' || tag.name === 'ignored' || tag.name === 'disabled') {
      one.skipped = outcome = one.skipped ?? opened;
    } else if (/^(?:flaky|rerun)(?:Failure|Error)$/.test(tag.name)) {
      outcome = opened;
      one.flaky ||= tag.name.startsWith('flaky');
      one.attempts.push(Object.assign(outcome, { word: tag.name.endsWith('Error') ? 'error' : 'failed' }));
    } else if (tag.name === 'property') {
      one.properties.push([attribute['name'] ?? '', attribute['value'] ?? '']);
    }
  };
  const openCase = (tag: SaxesTagPlain): void => {
    const attribute = attributesOf(tag);
    cases += 1;
    current = {
      name: attribute['name'] ?? null,
      className: attribute['classname'] ?? attribute['class'] ?? '',
      attributes: attribute,
      error: null,
      failure: null,
      skipped: null,
      attempts: [],
      flaky: false,
      stdout: '',
      stderr: '',
      properties: [],
    };
  };
  const keepText = (text: string): void => {
    const element = elements.at(-1);
    if (current === null) {
      return;
    }
    if (element === 'system-out') {
      current.stdout = lastOf(current.stdout + text);
    } else if (element === 'system-err') {
      current.stderr = lastOf(current.stderr + text);
    } else if (element === 'property' && text.trim() !== '') {
      const last = current.properties.pop();
      current.properties.push([last?.[0] ?? '', (last?.[1] ?? '') + text.slice(0, 1000)]);
    } else if (outcome !== null && outcome.text.length < textCharactersMax) {
      outcome.text += text.slice(0, textCharactersMax);
    }
  };
  return {
    depth: () => elements.length,
    open(tag: SaxesTagPlain): void {
      if (current !== null) {
        openInCase(tag, current);
      } else if (tag.name === 'testsuite' || tag.name === 'testsuites') {
        openSuite(tag);
      } else if (tag.name === 'testcase') {
        openCase(tag);
      } else if (tag.name === 'property' && propertyCount < propertiesMax) {
        const attribute = attributesOf(tag);
        propertyCount += 1;
        properties[(attribute['name'] ?? '').slice(0, 200)] ??= (attribute['value'] ?? '').slice(0, 2048);
      } else if (tag.name === 'error' || tag.name === 'failure') {
        collector.warn('suite_outcome', 'An outcome outside of any case was passed over.', path || undefined);
      }
      elements.push(tag.name);
    },
    close(name: string): void {
      elements.pop();
      if (name === 'testcase' && current !== null) {
        collector.add(caseOf(current, suites, `${path}testcase[${cases - 1}]`, collector));
        current = null;
        outcome = null;
      } else if (name === 'testsuite' && current === null) {
        suites.pop();
      } else if (/^(?:error|failure|skipped|(?:flaky|rerun)(?:Failure|Error))$/.test(name)) {
        outcome = null;
      }
    },
    text: keepText,
    summary(): JunitSummary {
      const first = topSuites[0];
      const times = topSuites.map((suite) => secondsOf(suite['time'] ?? null, null)?.ms ?? null);
      const sum = times.reduce<number | null>((all, ms) => (ms === null ? all : (all ?? 0) + ms), null);
      return {
        reported: reportedTotals(root.attributes, topSuites),
        reportName: root.name || first?.['name'] || null,
        durationMs: secondsOf(root.attributes['time'] ?? null, null)?.ms ?? sum,
        startedAtMs: parseMoment(root.attributes['timestamp'] ?? first?.['timestamp']),
        context: junitContext(properties),
      };
    },
  };
}

/** Attributes as a map without a prototype; a later library may hand over an ordinary object. */
function attributesOf(tag: SaxesTagPlain): Record<string, string> {
  const attributes: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(tag.attributes)) {
    attributes[name] = value;
  }
  return attributes;
}

/** The last 32,768 characters, cut only now and then. */
function lastOf(text: string): string {
  return text.length > textCharactersMax ? text.slice(-textCharactersMax / 2) : text;
}

/** Error before failure before skipped (several stand in one case when pytest's teardown breaks); none is a pass. */
function statusOf(one: OpenCase): string {
  if (one.error !== null) return 'error';
  if (one.failure !== null) return 'failed';
  if (one.skipped !== null) return 'skipped';
  const { attributes } = one;
  // node:test writes failure= beside the child; others write only one of the two.
  if (attributes['error'] !== undefined) return 'error';
  if (attributes['failure'] !== undefined) return 'failed';
  const word = (attributes['status'] ?? '').toLowerCase();
  const result = (attributes['result'] ?? '').toLowerCase();
  const notRun = /^(?:disabled|notrun|not[ _-]?run|skipped|ignored|pending|todo|suppressed|incomplete)$/;
  if (notRun.test(word) || notRun.test(result)) return 'skipped';
  return /^(?:fail|failed|failure|error|errored)$/.test(word) ? word : 'passed';
}

function caseOf(one: OpenCase, suites: readonly Suite[], path: string, collector: CaseCollector): RawCase {
  const status = statusOf(one);
  const outcome = one.error ?? one.failure ?? one.skipped;
  const { attributes } = one;
  const named = suites.map((suite) => suite.name);
  const seconds = secondsOf(attributes['time'] ?? null, { path, collector });
  const suiteFile = suites.findLast((suite) => suite.file !== null)?.file ?? null;
  const innermost = named.at(-1);
  return {
    path,
    name: one.name,
    suite: one.className === '' || one.className === innermost ? named : [...named, one.className],
    file: attributes['file'] ?? attributes['filepath'] ?? suiteFile,
    line: wholeNumber(attributes['line'] ?? attributes['lineno']),
    status,
    rawStatus: rawWord(one, status),
    durationMs: seconds?.ms ?? null,
    flaky: one.flaky && status === 'passed',
    message: outcome?.message ?? firstLine(outcome?.text) ?? attributes['failure'] ?? null,
    trace: textOf(outcome?.text),
    stdout: textOf(one.stdout),
    stderr: textOf(one.stderr),
    attempts: one.attempts.map((attempt) => ({
      status: attempt.word,
      durationMs: null,
      message: attempt.message ?? attempt.type,
      trace: textOf(attempt.text),
    })),
    properties: [...one.properties, ...propertiesInOutput(one.stdout)],
    configuration: suites.findLast((suite) => suite.hostname !== null)?.hostname ?? null,
  };
}

/** What tells an expected failure or a todo from a plain skip: the type of `skipped`, or the status attribute. */
function rawWord(one: OpenCase, status: string): string | null {
  return status === 'skipped' ? (one.skipped?.type ?? one.attributes['status'] ?? null) : null;
}

/** `[[PROPERTY|name=value]]` lines of the output, as testmoapp/junitxml describes them. */
function propertiesInOutput(output: string): Array<readonly [string, string]> {
  return output
    .slice(0, textCharactersMax)
    .split('\n')
    .filter((line) => line.startsWith('[[PROPERTY|') && line.trimEnd().endsWith(']]'))
    .slice(0, 20)
    .map((line) => {
      const [name = '', ...value] = line.trimEnd().slice('[[PROPERTY|'.length, -2).split('=');
      return [name, value.join('=')] as const;
    });
}

function textOf(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

function firstLine(text: string | undefined): string | null {
  return textOf(text)?.split('\n', 1)[0] ?? null;
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
}

/**
 * Seconds as reporters write them, in milliseconds. `1,234.5` has a thousands separator, `0,5` a decimal comma; what is
 * negative or no number gives null. With `warn` given, oddities are noted.
 */
function secondsOf(
  text: string | null,
  warn: { path: string; collector: CaseCollector } | null,
): { ms: number } | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') {
    return null;
  }
  const grouped = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(trimmed);
  const comma = !grouped && /^\d+,\d+$/.test(trimmed);
  const plain = grouped ? trimmed.replaceAll(',', '') : comma ? trimmed.replace(',', '.') : trimmed;
  if (!/^[+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(plain) || !Number.isFinite(Number(plain))) {
    warn?.collector.warn('invalid_time', 'A time that is negative or no number was dropped.', warn.path);
    return null;
  }
  if (grouped || comma) {
    warn?.collector.warn('time_format', 'A time with a comma was read as a number.', warn.path);
  }
  return { ms: Number(plain) * 1000 };
}

/** The totals the report gives itself: of the root, else the sum over its top suites; null where it gives none. */
function reportedTotals(
  root: Readonly<Record<string, string>>,
  topSuites: ReadonlyArray<Readonly<Record<string, string>>>,
): ReportedTotals | null {
  const givers =
    root['tests'] === undefined ? topSuites.filter((suite) => suite['tests'] !== undefined) : [root];
  if (givers.length === 0) {
    return null;
  }
  const totals: Record<string, number> = {};
  for (const name of ['tests', 'failures', 'errors', 'skipped', 'disabled']) {
    const values = givers.map((giver) => wholeNumber(giver[name])).filter((value) => value !== null);
    if (values.length > 0) {
      totals[name] = values.reduce((sum, value) => sum + value, 0);
    }
  }
  return totals;
}
