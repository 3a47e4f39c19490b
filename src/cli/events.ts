// `event show`: one event whole.

import { namespaceUrl } from '../core/config/addresses.ts';
import { viewEvent } from '../core/events/views.ts';
import { parseEventId } from '../core/ids.ts';
import { type Command, type CommandContext, exitCodes, printJson } from './command.ts';
import { eventText } from './text/event.ts';
import type { Paint } from './text/stack.ts';
import { getOwned, ownerOption } from './which-project.ts';

export const eventShow: Command = {
  name: 'event show',
  onlyReads: true,
  summary:
    'Shows one event whole: stack and source, user, request, tags, breadcrumbs, contexts, attachments, what was set aside.',
  usage: 'EVENT_ID [--project NAME]',
  options: { ...ownerOption },
  positionals: { least: 1, most: 1 },
  examples: [
    'event show 0123456789abcdef0123456789abcdef',
    'event show 0123456789abcdef0123456789abcdef --json',
  ],
  async run(context, words) {
    const deps = await context.deps();
    const word = words.positionals[0] ?? '';
    const eventId = parseEventId(word);
    // Two projects may have an event of one id: then one has to be named.
    const { project, found } = await getOwned(deps, words, `event "${word}"`, async ({ id }) =>
      eventId === null ? null : deps.store.findEvent(id, eventId),
    );
    const event = viewEvent(found, (path) => `${namespaceUrl(deps.config)}${path}`);
    if (words.flag('json')) printJson(context, { ...event, project_id: project.id });
    else context.out(`${eventText(event, project.name, paintFor(context))}\n`);
    return exitCodes.fine;
  },
};

function paintFor(context: CommandContext): Paint {
  const coloured = context.isTerminal && (context.env['NO_COLOR'] ?? '') === '';
  const painted = (code: number) => (text: string) => (coloured ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { bold: painted(1), faint: painted(2) };
}
