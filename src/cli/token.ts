// `token rotate`: a new token for the workspace.
import { actAudited, byCommandLine } from '../core/audit/audit.ts';
import { rotateAdminToken } from '../core/projects/first-run.ts';
import { type Command, CommandFailure, exitCodes } from './command.ts';

export const tokenRotate: Command = {
  name: 'token rotate',
  summary: 'Makes a new workspace token; the old one ends at once.',
  usage: '',
  options: {},
  positionals: { least: 0, most: 0 },
  async run(context, words) {
    const deps = await context.deps();
    if (deps.config.adminToken !== null) {
      throw new CommandFailure('NOTIFIER_ADMIN_TOKEN is set: change it there.');
    }
    const token = await actAudited(deps, byCommandLine, async (parts) => {
      const result = await rotateAdminToken(parts);
      const ended = await parts.store.endTokenSessions();
      const object = { kind: 'token', id: null, name: 'the workspace token' };
      const summary = `${ended} ${ended === 1 ? 'session' : 'sessions'} of the old one ended`;
      return { result, told: { action: 'token.rotated', object, summary } };
    });
    context.out(
      words.flag('json')
        ? `${JSON.stringify({ token })}\n`
        : `Workspace token: ${token}   (shown this once)\n`,
    );
    return exitCodes.fine;
  },
};
