// `project delete`: asks for the name, ends the project at once, then removes what it holds while the server
// goes on.
import { setTimeout as sleep } from 'node:timers/promises';
import { actAudited, byCommandLine } from '../core/audit/audit.ts';
import { toldOfProject } from '../core/audit/told.ts';
import type { Deps } from '../core/deps.ts';
import { removeProject } from '../core/projects/deletion.ts';
import { viewProject } from '../core/projects/views.ts';
import type { EndingProject, Project } from '../core/store/projects.ts';
import {
  type Command,
  type CommandContext,
  CommandFailure,
  exitCodes,
  type ParsedWords,
  printable,
  printJson,
} from './command.ts';
import { findProject } from './which-project.ts';

export const projectDelete: Command = {
  name: 'project delete',
  summary:
    'Deletes a project with everything in it, for good: its keys end at once, the rest goes in slices. Interrupted, the same command goes on.',
  usage: 'NAME [--yes]',
  options: { yes: { type: 'boolean', help: 'do not ask for the name' } },
  positionals: { least: 1, most: 1 },
  examples: ['project delete shop', 'project delete shop --yes --json'],
  async run(context, words) {
    const deps = await context.deps();
    const name = words.positionals[0] ?? '';
    const standing = await findProject(deps, name);
    const ending =
      standing === null
        ? await getEndingProject(deps, name)
        : await endWhenSure(context, deps, words, standing);
    await removeAll(context, deps, ending);
    const previous = standing === null ? { project_id: ending.id, name: ending.name } : viewProject(standing);
    if (words.flag('json')) printJson(context, { deleted: true, previous });
    else context.out(`Project ${ending.id} "${ending.name}" is deleted.\n`);
    return exitCodes.fine;
  },
};

/** A deletion that was begun before: nobody is asked again. Of several of one name the oldest. */
async function getEndingProject(deps: Deps, name: string): Promise<EndingProject> {
  const ending = await deps.store.listEndingProjects();
  const found = ending.find((each) => each.name === name || String(each.id) === name);
  if (found === undefined) throw new CommandFailure(`There is no project "${printable(name)}".`);
  return found;
}

async function endWhenSure(
  context: CommandContext,
  deps: Deps,
  words: ParsedWords,
  project: Project,
): Promise<EndingProject> {
  if (!words.flag('yes')) {
    if (context.ask === undefined) {
      throw new CommandFailure(
        `Nobody is here to type the name: --yes deletes "${project.name}" without asking.`,
      );
    }
    context.err(
      `This deletes project ${project.id} "${project.name}" with all its issues, events, releases and keys.\n`,
    );
    const typed = await context.ask('Type its name to go on: ');
    if (typed !== project.name) throw new CommandFailure('That is not its name: nothing was deleted.');
  }
  const ending = await actAudited(deps, byCommandLine, async ({ store, now }) => {
    const result = await store.endProject(project.id, now());
    return { result, told: result === null ? null : toldOfProject(project, 'project.deleted') };
  });
  if (ending === null) throw new CommandFailure(`There is no project "${project.name}" any more.`);
  return ending;
}

async function removeAll(context: CommandContext, deps: Deps, ending: EndingProject): Promise<void> {
  if (context.isTerminal) context.err('Its keys have ended. Ctrl-C interrupts; the same command goes on.\n');
  await removeProject(deps, ending.id, {
    sleep: (milliseconds) => sleep(milliseconds),
    onProgress(rows) {
      if (context.isTerminal) context.err(`\r\u001b[2K${rows.toLocaleString('en')} rows removed`);
    },
  });
  if (context.isTerminal) context.err('\r\u001b[2K');
}
