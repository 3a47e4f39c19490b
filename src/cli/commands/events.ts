// `event show`: prints all fields of an event. Fields without a section of their own come last.
import type { ExceptionValue, NormalizedEvent, StackFrame, Stacktrace } from '../../../schemas/event.ts';
import { getNamespaceUrl } from '../../core/config/public-urls.ts';
import { type EventView, viewEvent } from '../../core/events/views.ts';
import { buildExceptionTree, formatRelation } from '../../core/grouping/stacks/exception-tree.ts';
import { parseEventId } from '../../core/ids.ts';
import type { Command, CommandContext } from '../command.ts';
import { formatIsoTime, formatTable, sanitizeForTerminal, textSection, valueLines } from '../print.ts';
import { getWithProject, ownerOption } from '../project-option.ts';

const breadcrumbsMax = 100;

export const eventShowCommand: Command = {
  name: 'event show',
  onlyReads: true,
  summary:
    'Show one event in full: stack trace, user, request, tags, breadcrumbs, contexts, attachments and processing errors.',
  usage: 'EVENT_ID [--project NAME]',
  options: ownerOption,
  examples: [
    'event show 0123456789abcdef0123456789abcdef',
    'event show 0123456789abcdef0123456789abcdef --json',
  ],
  async run(context, args) {
    const deps = await context.deps();
    const word = args.positionals[0] ?? '';
    const eventId = parseEventId(word);
    // Event ids are unique only within a project.
    const { project, found } = await getWithProject(deps, args, `event "${word}"`, async ({ id }) =>
      eventId === null ? null : deps.store.findEvent(id, eventId),
    );
    const event = viewEvent(found, (path) => `${getNamespaceUrl(deps.config)}${path}`);
    return {
      json: { ...event, project_id: project.id },
      text: () => eventText(event, project.name, paintFor(context)),
    };
  },
};

function paintFor(context: CommandContext) {
  const coloured = context.isTerminal && (context.env['NO_COLOR'] ?? '') === '';
  const painted = (code: number) => (text: string) => (coloured ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { bold: painted(1), faint: painted(2) };
}

function eventText(event: EventView, projectName: string, paint: Paint): string {
  const payload = event as EventView & Partial<NormalizedEvent>;
  return [
    ...headLines(event, payload, projectName, paint),
    ...messageLines(payload, paint),
    ...exceptionLines(payload.exception, paint),
    ...threadLines(payload.threads, paint),
    ...textSection('User', valueLines(payload.user), paint),
    ...textSection('Request', valueLines(payload.request), paint),
    ...textSection('Tags', valueLines(payload.tags), paint),
    ...textSection('Breadcrumbs', breadcrumbLines(payload.breadcrumbs), paint),
    ...textSection('Contexts', valueLines(payload.contexts), paint),
    ...textSection('Extra', valueLines(payload.extra), paint),
    ...textSection('Attachments', attachmentLines(event), paint),
    ...textSection('Processing errors', errorLines(event), paint),
    ...otherSections(payload, paint),
  ].join('\n');
}

function headLines(
  event: EventView,
  payload: Partial<NormalizedEvent>,
  projectName: string,
  paint: Paint,
): string[] {
  const { sdk } = payload;
  const { grouping } = event;
  const shown = (value: string | null | undefined): string => (value ? sanitizeForTerminal(value) : '–');
  const neighbours = `older ${event.older_event_id ?? '–'}, newer ${event.newer_event_id ?? '–'}`;
  return [
    paint.bold(`Event ${event.event_id} of issue ${event.issue_id} in "${sanitizeForTerminal(projectName)}"`),
    `  ${sanitizeForTerminal(event.title)}`,
    `  where       ${shown(event.culprit)}`,
    `  received    ${formatIsoTime(event.received)} UTC, occurred ${shown(payload.timestamp)}`,
    `  level       ${event.level}, platform ${sanitizeForTerminal(event.platform)}, logger ${shown(payload.logger)}`,
    `  release     ${shown(event.release)}, dist ${shown(event.dist)}, environment ${shown(event.environment)}`,
    `  from        domain ${shown(event.domain)}, server ${shown(payload.server_name)}, transaction ${shown(payload.transaction)}`,
    `  client      ${sanitizeForTerminal(`${sdk?.name ?? '–'} ${sdk?.version ?? ''}`).trimEnd()}`,
    `  redacted    ${event.scrubbed} sensitive values`,
    `  grouped by  ${grouping.source} (${grouping.algorithm}): ${grouping.parts.map((part) => sanitizeForTerminal(part)).join(' | ')}`,
    ...grouping.notes.map((note) => `              ${sanitizeForTerminal(note)}`),
    ...(event.needs_mapping ? ['  source map  some frames have no source map yet'] : []),
    `  adjacent    ${neighbours}`,
  ];
}

function messageLines({ logentry }: Partial<NormalizedEvent>, paint: Paint): string[] {
  if (logentry === undefined) return [];
  const { message, formatted, ...others } = logentry;
  const lines = (formatted ?? message ?? '').split('\n').slice(0, 50);
  const template =
    formatted === undefined || message === undefined || formatted === message ? {} : { message };
  return textSection(
    'Message',
    [
      ...lines.map((line) => `  ${sanitizeForTerminal(line, 500)}`),
      ...valueLines({ ...template, ...others }),
    ],
    paint,
  );
}

/** Newest last, followed by the extra fields of each breadcrumb. */
function breadcrumbLines(breadcrumbs: NormalizedEvent['breadcrumbs']): string[] {
  const all = breadcrumbs?.values ?? [];
  const lines = all.slice(-breadcrumbsMax).map((breadcrumb) => {
    const { timestamp, level, category, type, message, ...others } = breadcrumb as Record<string, unknown>;
    const words = [timestamp, level, category ?? type, message].filter(
      (each) => each !== undefined && each !== null,
    );
    const data = Object.keys(others).length === 0 ? '' : `  ${JSON.stringify(others)}`;
    return `  ${sanitizeForTerminal(words.map(String).join('  ') + data, 300)}`;
  });
  const hiddenCount = all.length - breadcrumbsMax;
  return hiddenCount > 0 ? [`  … ${hiddenCount} before these; see --json`, ...lines] : lines;
}

function attachmentLines(event: EventView): string[] {
  if (event.attachments.length === 0) return [];
  const rows = event.attachments.map((each) => [
    each.attachment_id,
    each.filename,
    each.content_type,
    each.attachment_type,
    each.size,
    each.url,
  ]);
  const headings = ['ID', 'Name', 'Type', 'Kind', 'Bytes', 'URL (requires the secret key)'];
  return formatTable(headings, rows)
    .split('\n')
    .map((line) => `  ${line}`);
}

function errorLines(event: EventView): string[] {
  return event.errors.map(({ type, name, value }) => {
    const was = value === undefined ? '' : `: ${JSON.stringify(value)}`;
    return `  ${sanitizeForTerminal(`${name} (${type})${was}`, 300)}`;
  });
}

/** Members that are printed in another section, so that they are not printed twice. */
const shownAbove: ReadonlySet<string> = new Set(
  [
    'event_id issue_id title culprit received timestamp level platform logger type release dist environment',
    'domain server_name transaction scrubbed grouping needs_mapping older_event_id newer_event_id logentry',
    'exception threads user request tags breadcrumbs contexts extra attachments errors',
  ].flatMap((names) => names.split(' ')),
);

function otherSections(payload: Readonly<Record<string, unknown>>, paint: Paint): string[] {
  const { sdk, ...members } = payload as { sdk?: Record<string, unknown> } & Record<string, unknown>;
  const { name: _name, version: _version, ...packages } = sdk ?? {};
  const others = { sdk: packages, ...members };
  return Object.entries(others)
    .filter(([name]) => !shownAbove.has(name))
    .flatMap(([name, value]) => textSection(sanitizeForTerminal(name, 100), valueLines(value), paint));
}

type Paint = ReturnType<typeof paintFor>;

const framesMax = 50;
const sourcesMax = 10;
const exceptionsMax = 20;
const depthMax = 8;
const threadsMax = 20;

/** The outermost exception first; members of an exception group are indented below it, then its causes. */
export function exceptionLines(exceptions: NormalizedEvent['exception'], paint: Paint): string[] {
  const values = exceptions?.values ?? [];
  const tree = buildExceptionTree(values);
  const lines = tree.slice(0, exceptionsMax).flatMap((node) => {
    const { type, value, module, mechanism, ...stacks } = values[node.index] as ExceptionValue;
    const [first = '', ...others] = (value ?? '').split('\n');
    const name = [module, type ?? 'Error'].filter((each) => each !== undefined).join('.');
    const indent = '  '.repeat(Math.min(node.depth, depthMax));
    const heading = [
      paint.bold(sanitizeForTerminal(`${formatRelation(node)}${name}: ${first}`, 500)),
      ...others.slice(0, 20).map((line) => `  ${sanitizeForTerminal(line, 500)}`),
      ...(mechanism === undefined ? [] : [`  ${paint.faint(mechanismText(mechanism))}`]),
      ...stackLines(stacks.stacktrace, paint),
      ...(stacks.raw_stacktrace === undefined ? [] : ['  (mapped by a source map; as sent: --json)']),
    ];
    return ['', ...heading.map((line) => indent + line)];
  });
  return [...lines, ...rest(tree.length - exceptionsMax, 'exception')];
}

export function threadLines(threads: NormalizedEvent['threads'], paint: Paint): string[] {
  const all = threads?.values ?? [];
  const lines = all.slice(0, threadsMax).flatMap((thread) => {
    const { stacktrace, raw_stacktrace: _sent, id, name, crashed, current, ...others } = thread;
    const flags = [crashed === true ? 'crashed' : '', current === true ? 'current' : ''].filter(Boolean);
    const identity = [id, name].filter((each) => each !== undefined && each !== null).map(String);
    const heading = `Thread ${sanitizeForTerminal(identity.join(' ') || '–')}${flags.length === 0 ? '' : ` (${flags.join(', ')})`}`;
    return ['', paint.bold(heading), ...valueLines(others), ...stackLines(stacktrace, paint)];
  });
  return [...lines, ...rest(all.length - threadsMax, 'thread')];
}

/** Newest frame first. Source is shown for in-app frames, or for the first frame if none is marked in_app. */
function stackLines(stack: Stacktrace | undefined, paint: Paint): string[] {
  const frames = [...(stack?.frames ?? [])].reverse();
  const marked = frames.some((frame) => frame.in_app === true);
  let sources = 0;
  const lines = frames.slice(0, framesMax).flatMap((frame, index) => {
    const isShown = marked ? frame.in_app === true : index === 0;
    const source = isShown && sources < sourcesMax ? sourceLines(frame, paint) : [];
    if (source.length > 0) sources += 1;
    return [frameLine(frame, paint), ...source];
  });
  return [...lines, ...rest(frames.length - framesMax, 'frame')];
}

function frameLine(frame: StackFrame, paint: Paint): string {
  const file = frame.filename ?? frame.abs_path ?? frame.module ?? frame.package ?? '?';
  const location = [file, frame.lineno, frame.colno].filter((each) => each !== undefined).join(':');
  const text = `at ${sanitizeForTerminal(frame.function ?? '(anonymous)', 120)}  ${sanitizeForTerminal(location, 200)}`;
  return frame.in_app === true ? `  ${text}  [in app]` : `  ${paint.faint(text)}`;
}

/** Numbered source lines with the failing line marked, then local variables if the SDK sent any. */
function sourceLines(frame: StackFrame, paint: Paint): string[] {
  const { pre_context: before = [], context_line: contextLine, post_context: after = [], lineno } = frame;
  const numbered = (text: string, offset: number): string => {
    const number = lineno === undefined ? '' : String(lineno + offset);
    return `${number.padStart(6)} │ ${sanitizeForTerminal(text.replaceAll('\t', '  ').trimEnd(), 200)}`;
  };
  const source =
    contextLine === undefined
      ? []
      : [
          ...before.map((text, index) => `    ${numbered(text, index - before.length)}`),
          paint.bold(`  > ${numbered(contextLine, 0)}`),
          ...after.map((text, index) => `    ${numbered(text, index + 1)}`),
        ];
  return [...source, ...valueLines(frame['vars']).map((line) => `        ${line.trimStart()}`)];
}

function mechanismText(mechanism: Readonly<Record<string, unknown>>): string {
  const { type, handled } = mechanism;
  const handledText = handled === true ? ', handled' : handled === false ? ', unhandled' : '';
  return sanitizeForTerminal(`seen by ${String(type ?? 'generic')}${handledText}`);
}

function rest(count: number, noun: string): string[] {
  return count > 0 ? [`  … ${count} more ${noun}${count === 1 ? '' : 's'}; see --json`] : [];
}
