import { domainChangeRequest } from '../../schemas/domains.ts';
import { actAudited, audited, byVisit } from '../../src/core/audit/audit.ts';
import { toldOfProof } from '../../src/core/audit/told.ts';
import type { CheckResult } from '../../src/core/domains/checks.ts';
import { createDomain, deleteDomain, updateDomain } from '../../src/core/domains/domains.ts';
import { checkProof, createProof, revokeProof } from '../../src/core/domains/verifications.ts';
import {
  domainModel,
  domainOfPath,
  listedDomainOfPath,
  proofOfPath,
} from '../../src/core/workspace/domains/domain.ts';
import { domainsModel } from '../../src/core/workspace/domains/list.ts';
import { lookedAt, notHere, type Visit, wrongInput } from '../../src/core/workspace/visit.ts';
import { type ActAnswer, act, type Declaration, page, sure } from '../../src/http/pages/declare.ts';
import { proofForm, switchForm } from '../../src/pages/domains/acts.ts';
import { domainPage } from '../../src/pages/domains/domain.ts';
import { newDomainForm, newDomainPage } from '../../src/pages/domains/forms.ts';
import { domainsPage } from '../../src/pages/domains/list.ts';
import type { Posted } from '../../src/pages/parts/form.ts';

export function domainPages(): Declaration[] {
  return [
    page({ path: '/domains', model: domainsModel, view: domainsPage }),
    page({
      path: '/domains/new',
      needs: 'admin',
      model: async (visit) => ({
        projects: lookedAt(visit).map(({ id, name }) => ({ project_id: id, name })),
      }),
      view: newDomainPage,
    }),
    page({
      path: '/domains/{domain_id}',
      model: domainModel,
      view: (model, frame) => domainPage(model, frame),
    }),
    ...domainActs(),
    ...proofActs(),
  ];
}

function domainActs(): Declaration[] {
  return [
    act({
      path: '/domains',
      needs: 'admin',
      form: newDomainForm.schema,
      act: add,
    }),
    act({
      path: '/domains/{domain_id}/switches',
      needs: 'admin',
      form: switchForm.schema,
      act: changeSwitches,
    }),
    act({ path: '/domains/{domain_id}/remove', needs: 'admin', form: sure, act: remove }),
  ];
}

function proofActs(): Declaration[] {
  return [
    act({
      path: '/domains/{domain_id}/proof',
      needs: 'admin',
      form: proofForm.schema,
      act: askForProof,
    }),
    act({ path: '/domains/{domain_id}/check', needs: 'admin', act: check }),
    act({ path: '/domains/{domain_id}/token', needs: 'admin', act: renewToken }),
    act({ path: '/domains/{domain_id}/revoke', needs: 'admin', form: sure, act: takeBack }),
  ];
}

async function add(visit: Visit, form: Posted<typeof newDomainForm>): Promise<ActAnswer> {
  const project = visit.projects.find(({ id }) => id === form.project_id);
  if (project === undefined) throw notHere('A project with this number');
  // For a listed host, settings that are not checked stay unchanged.
  const asked = { domain: form.domain, ...(form.bug_reports === 'on' ? { bug_reports: true } : {}) };
  const id = await visit.deps.store.together(async (store) => {
    const parts = { ...visit.deps, store };
    const { domain } = await createDomain(parts, project, asked, byVisit(visit));
    const name = domain.host.replace(/^\*\./, '');
    const scope = name === domain.host ? 'host' : 'subdomains';
    if (form.prove === 'on') await createProof(parts, project, { domain: name, scope }, byVisit(visit));
    return domain.id;
  });
  return { to: `/domains/${id}` };
}

async function changeSwitches(visit: Visit, form: Posted<typeof switchForm>): Promise<ActAnswer> {
  const { project, domain } = await listedDomainOfPath(visit);
  const origins = (form.allowed_origins ?? '').split(/[\s,]+/).filter((each) => each !== '');
  const fits = domainChangeRequest.safeParse({ allowed_origins: origins });
  if (!fits.success) throw wrongInput('Enter at most 50 origins of up to 300 characters each.');
  const asked = {
    bug_reports: form.bug_reports === 'on',
    errors: form.errors === 'on',
    sampling: form.percent / 100,
    allowed_origins: origins,
  };
  await updateDomain(visit.deps, project, domain.id, asked, byVisit(visit));
  return { back: true };
}

async function remove(visit: Visit): Promise<ActAnswer> {
  const { project, domain } = await listedDomainOfPath(visit);
  await deleteDomain(visit.deps, project, domain.id, byVisit(visit));
  return { to: '/domains' };
}

async function askForProof(visit: Visit, { scope }: Posted<typeof proofForm>): Promise<ActAnswer> {
  const { project, domain } = await listedDomainOfPath(visit);
  const name = domain.host.replace(/^\*\./, '');
  await createProof(visit.deps, project, { domain: name, scope }, byVisit(visit));
  return { back: true };
}

/** The page shows the result of each method, which is not stored. */
async function check(visit: Visit): Promise<ActAnswer> {
  const { project, proof } = await proofOfPath(visit);
  const { proof: after, checks } = await checkProof(visit.deps, project, proof.id);
  await audited(visit.deps, byVisit(visit), toldOfProof(after, 'proof.checked', checkedText(checks)));
  const model = await domainModel(visit);
  return { status: 200, view: (frame) => domainPage(model, frame, checks) };
}

function checkedText(checks: readonly CheckResult[]): string {
  if (checks.length === 0) return 'a new token was created';
  return checks.map(({ type, code }) => `${type.replace('_', ' ')} ${code}`).join(', ');
}

async function renewToken(visit: Visit): Promise<ActAnswer> {
  const { project, proof } = await proofOfPath(visit);
  await actAudited(visit.deps, byVisit(visit), async (parts) => {
    await revokeProof(parts, project, proof.id, null);
    const { domain, scope, method, label } = proof;
    const result = await createProof(parts, project, { domain, scope, method, label }, null);
    return { result, told: toldOfProof(result.proof, 'proof.created', 'with a new token') };
  });
  return { back: true };
}

async function takeBack(visit: Visit): Promise<ActAnswer> {
  const { domain } = await domainOfPath(visit);
  const { project, proof } = await proofOfPath(visit);
  await revokeProof(visit.deps, project, proof.id, byVisit(visit));
  return domain === null ? { to: '/domains' } : { back: true };
}
