import { z } from 'zod';
import { writeAuditEntry } from '../../src/core/audit/audit.ts';
import { createInvalidParamError } from '../../src/core/errors.ts';
import { pageNotFound, type RequestContext } from '../../src/core/page-models/request-context.ts';
import {
  confirmationWord,
  findUserOfPath,
  userModel,
  usersModel,
} from '../../src/core/page-models/users/user.ts';
import { auditedUser, eraseUser } from '../../src/core/users/erase.ts';
import { exportUser } from '../../src/core/users/export.ts';
import {
  action,
  type FileResponse,
  file,
  noForm,
  page,
  showPage,
} from '../../src/http/pages/declarations.ts';
import { eraseUserPage, revealPage, userPage, usersPage } from '../../src/web/users/user.ts';

const one = '/users/{user_hash}';

export function userPages() {
  return [
    page('/users', 'viewer', usersModel, usersPage),
    page(one, 'viewer', userModel, userPage),
    page(`${one}/email`, 'admin', userModel, revealPage),
    page(`${one}/erase`, 'admin', userModel, eraseUserPage),
    file(`${one}/export`, 'admin', exportFile),
    action(`${one}/email`, 'admin', noForm, revealEmail),
    action(`${one}/erase`, 'admin', z.object({ typed: z.string().default('') }), erase, {
      onInvalid: { model: userModel, view: eraseUserPage },
    }),
  ];
}

/** One export for each project that knows the user. */
async function exportFile(context: RequestContext): Promise<FileResponse> {
  const { identity, parts: records } = await findUserOfPath(context);
  const exports = [];
  for (const part of records) {
    const found = await exportUser(context.deps, { identity, parts: [part] }, context.by);
    exports.push({ project_id: part.ref.projectId, ...found });
  }
  return {
    contentType: 'application/json; charset=utf-8',
    bytes: `${JSON.stringify(exports, null, 2)}\n`,
    filename: `user-${records[0]?.ref.userHash.slice(0, 12)}.json`,
  };
}

/** Audited before the address is shown. */
async function revealEmail(context: RequestContext) {
  const { identity, parts: records } = await findUserOfPath(context);
  const [part] = records;
  if (identity.email === null || part === undefined) throw pageNotFound('An e-mail address of this user');
  const model = await userModel(context);
  const { projectId } = part.ref;
  const object = auditedUser(part.ref);
  await writeAuditEntry(context.deps, context.by, {
    action: 'user.email_revealed',
    object,
    projectId,
  });
  return showPage((pageContext) => userPage(model, pageContext, identity.email));
}

async function erase(context: RequestContext, { typed }: { typed: string }) {
  const user = await findUserOfPath(context);
  if (typed.trim() !== confirmationWord(user)) {
    throw createInvalidParamError({ typed: 'This is not what the page asks for. Nothing was erased.' });
  }
  await eraseUser(context.deps, user, context.by);
  return { to: '/users', notice: 'user-erased' };
}
