import { domainChangeRequest } from '../../schemas/domains.ts';
import { createDomain, deleteDomain, updateDomain } from '../../src/core/domains/domains.ts';
import {
  checkVerification,
  createVerification,
  replaceVerificationToken,
  revokeVerification,
} from '../../src/core/domains/verifications.ts';
import { createInvalidParamError } from '../../src/core/errors.ts';
import {
  domainModel,
  findDomainOfPath,
  getListedDomainOfPath,
  getVerificationOfPath,
} from '../../src/core/page-models/domains/domain.ts';
import { domainsModel } from '../../src/core/page-models/domains/list.ts';
import {
  pageNotFound,
  type RequestContext,
  viewedProjects,
} from '../../src/core/page-models/request-context.ts';
import {
  action,
  confirmationForm,
  goBack,
  noForm,
  page,
  showPage,
} from '../../src/http/pages/declarations.ts';
import type { FormValues } from '../../src/web/components/form.ts';
import { domainSettingsForm, verificationForm } from '../../src/web/domains/actions.ts';
import { domainPage } from '../../src/web/domains/domain.ts';
import {
  domainsPage,
  type NewDomainModel,
  newDomainForm,
  newDomainPage,
} from '../../src/web/domains/list.ts';

export function domainPages() {
  return [
    page('/domains', 'viewer', domainsModel, domainsPage),
    page('/domains/new', 'admin', newDomainModel, newDomainPage),
    page('/domains/{domain_id}', 'viewer', domainModel, domainPage),
    ...domainActions(),
    ...verificationActions(),
  ];
}

function domainActions() {
  return [
    action('/domains', 'admin', newDomainForm.schema, add, {
      onInvalid: { model: newDomainModel, view: newDomainPage },
      fieldOf: { notifier_too_many_domains: 'domain', notifier_too_many_domain_verifications: 'domain' },
    }),
    action('/domains/{domain_id}/switches', 'admin', domainSettingsForm.schema, changeSwitches, {
      onInvalid: {
        model: domainModel,
        view: (model, pageContext, settings) => domainPage(model, pageContext, { settings }),
      },
    }),
    action('/domains/{domain_id}/remove', 'admin', confirmationForm, remove),
  ];
}

function verificationActions() {
  return [
    action('/domains/{domain_id}/proof', 'admin', verificationForm.schema, startVerification, {
      onInvalid: {
        model: domainModel,
        view: (model, pageContext, verification) => domainPage(model, pageContext, { verification }),
      },
      fieldOf: { domain: 'scope', method: 'scope', notifier_too_many_domain_verifications: 'scope' },
    }),
    action('/domains/{domain_id}/check', 'admin', noForm, check),
    action('/domains/{domain_id}/token', 'admin', noForm, renewToken),
    action('/domains/{domain_id}/revoke', 'admin', confirmationForm, revokeToken),
  ];
}

async function newDomainModel(context: RequestContext): Promise<NewDomainModel> {
  return { projects: viewedProjects(context).map(({ id, name }) => ({ project_id: id, name })) };
}

async function add(context: RequestContext, form: FormValues<typeof newDomainForm>) {
  const project = context.projects.find(({ id }) => id === form.project_id);
  if (project === undefined) throw pageNotFound('A project with this number');
  // For a listed host, settings that are not checked stay unchanged.
  const input = { domain: form.domain, ...(form.bug_reports === 'on' ? { bug_reports: true } : {}) };
  const id = await context.deps.store.transaction(async (store) => {
    const txDeps = { ...context.deps, store };
    const { domain } = await createDomain(txDeps, project, input, context.by);
    const name = domain.host.replace(/^\*\./, '');
    const scope = name === domain.host ? 'host' : 'subdomains';
    if (form.prove === 'on') await createVerification(txDeps, project, { domain: name, scope }, context.by);
    return domain.id;
  });
  return { to: `/domains/${id}` };
}

async function changeSwitches(context: RequestContext, form: FormValues<typeof domainSettingsForm>) {
  const { project, domain } = await getListedDomainOfPath(context);
  const origins = (form.allowed_origins ?? '').split(/[\s,]+/).filter((each) => each !== '');
  const parsed = domainChangeRequest.safeParse({ allowed_origins: origins });
  if (!parsed.success) {
    throw createInvalidParamError({
      allowed_origins: 'Enter at most 50 origins of up to 300 characters each.',
    });
  }
  const changes = {
    bug_reports: form.bug_reports === 'on',
    errors: form.errors === 'on',
    sampling: form.percent / 100,
    allowed_origins: origins,
  };
  await updateDomain(context.deps, project, domain.id, changes, context.by);
  return goBack();
}

async function remove(context: RequestContext) {
  const { project, domain } = await getListedDomainOfPath(context);
  await deleteDomain(context.deps, project, domain.id, context.by);
  return { to: '/domains' };
}

async function startVerification(context: RequestContext, { scope }: FormValues<typeof verificationForm>) {
  const { project, domain } = await getListedDomainOfPath(context);
  const name = domain.host.replace(/^\*\./, '');
  await createVerification(context.deps, project, { domain: name, scope }, context.by);
  return goBack();
}

/** The page shows the result of each method, which is not stored. */
async function check(context: RequestContext) {
  const { project, proof } = await getVerificationOfPath(context);
  const { checks } = await checkVerification(context.deps, project, { id: proof.id }, context.by);
  const model = await domainModel(context);
  return showPage((pageContext) => domainPage(model, pageContext, { checks }));
}

async function renewToken(context: RequestContext) {
  const { project, proof } = await getVerificationOfPath(context);
  await replaceVerificationToken(context.deps, project, proof.id, context.by);
  return goBack();
}

async function revokeToken(context: RequestContext) {
  const { domain } = await findDomainOfPath(context);
  const { project, proof } = await getVerificationOfPath(context);
  await revokeVerification(context.deps, project, proof.id, context.by);
  return domain === null ? { to: '/domains' } : goBack();
}
