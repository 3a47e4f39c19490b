import { expect, it } from '@jest/globals';
import { tokenForms } from '../../../src/core/scrub/rules/token-rules.ts';
import { scrubText } from '../../../src/core/scrub/text.ts';

const letters = (count: number): string => 'q7Wk'.repeat(20).slice(0, count);
const capitals = (count: number): string => letters(count).toUpperCase();
const hex = (count: number): string => 'a7f0'.repeat(20).slice(0, count);

const samples: Readonly<Record<keyof typeof tokenForms, string>> = {
  GitHub: `ghp_${letters(16)}`,
  'GitHub, fine-grained': `github_pat_${letters(20)}`,
  GitLab: `glpat-${letters(12)}`,
  'Stripe, Clerk': `sk_live_${letters(12)}`,
  webhook: `whsec_${letters(12)}`,
  Slack: `xoxb-${letters(11)}`,
  'Slack app': `xapp-1-${letters(10)}`,
  ours: `ntf_sk_${letters(12)}`,
  npm: `npm_${letters(16)}`,
  PyPI: `pypi-${letters(16)}`,
  DigitalOcean: `dop_v1_${letters(16)}`,
  Shopify: `shpat_${letters(16)}`,
  Vault: `hvs.${letters(16)}`,
  SendGrid: `SG.${letters(22)}.${letters(12)}`,
  'OpenAI, Anthropic': `sk-ant-${letters(12)}`,
  'OpenAI, older': `sk-${letters(20)}`,
  Square: `sq0atp-${letters(12)}`,
  'Square access': `EAAA${letters(40)}`,
  'Google access': `ya29.${letters(16)}`,
  Google: `AIza${letters(20)}`,
  'Google client': `GOCSPX-${letters(16)}`,
  Linear: `lin_api_${letters(16)}`,
  HuggingFace: `hf_${letters(16)}`,
  Docker: `dckr_pat_${letters(16)}`,
  AWS: `AKIA${capitals(12)}`,
  Alibaba: `LTAI${letters(12)}`,
  Mailgun: `key-${hex(32)}`,
  Twilio: `SK${hex(32)}`,
  SonarQube: `sqp_${hex(40)}`,
  WooCommerce: `ck_${hex(40)}`,
  Databricks: `dapi${hex(32)}`,
  'New Relic': `NRAK-${capitals(16)}`,
  Sentry: `sntrys_${letters(20)}`,
  age: `AGE-SECRET-KEY-1${capitals(20)}`,
  Atlassian: `ATATT3${letters(20)}`,
  Bitbucket: `ATBB${letters(20)}`,
  Heroku: `HRKU-${letters(20)}`,
  Grafana: `glsa_${letters(20)}`,
  'Grafana Cloud': `glc_${letters(20)}`,
  Dynatrace: `dt0c01.${capitals(24)}.${capitals(12)}`,
  Postman: `PMAK-${hex(20)}`,
  Tailscale: `tskey-auth-${letters(12)}`,
  PlanetScale: `pscale_tkn_${letters(16)}`,
  Supabase: `sbp_${hex(20)}`,
  Notion: `ntn_${letters(40)}`,
  Figma: `figd_${letters(20)}`,
  Doppler: `dp.pt.${letters(20)}`,
  Pulumi: `pul-${hex(40)}`,
  RubyGems: `rubygems_${hex(32)}`,
  CircleCI: `CCIPAT_${letters(20)}`,
  Buildkite: `bkua_${letters(20)}`,
  Netlify: `nfp_${letters(20)}`,
  Groq: `gsk_${letters(20)}`,
  xAI: `xai-${letters(20)}`,
  Perplexity: `pplx-${letters(20)}`,
  Replicate: `r8_${letters(20)}`,
  '1Password': `ops_ey${letters(20)}`,
  EasyPost: `EZAK${letters(20)}`,
  PayPal: `access_token$production$${hex(16)}$${hex(16)}`,
  PASETO: `v4.local.${letters(20)}`,
  Terraform: `${letters(14)}.atlasv1.${letters(20)}`,
  'Azure client secret': `abc8Q~${letters(20)}`,
  Telegram: `110201543:A${letters(30)}`,
  Discord: `M${letters(23)}.Cl2FMQ.${letters(25)}`,
  bcrypt: `$2y$10$${letters(20)}`,
  crypt: `$6$salt$${letters(16)}`,
  'Argon2, PBKDF2': `$argon2id$${letters(16)}`,
  'WordPress, phpass': `$P$${letters(20)}`,
  'PBKDF2 of Django': `pbkdf2_sha256$1000$${letters(16)}`,
  'SHA of LDAP': `{SSHA}${letters(16)}`,
};

it.each(Object.keys(tokenForms) as Array<keyof typeof tokenForms>)('%s', (form) => {
  const { [form]: token = `no sample of ${form}` } = samples;
  expect(scrubText(token)).toBe('[Filtered]');
  expect(scrubText(`it said ${token} to all`)).toBe('it said [Filtered] to all');
  const short = `it said ${token.slice(0, -1)} to all`;
  expect(scrubText(short)).toBe(short);
});
