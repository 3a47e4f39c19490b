// The arguments of the reference plugin's routes, as it declares them.
import type { Arguments } from '../../../src/wordpress/request/rest-request.ts';

const eventIdPattern = '^[0-9a-f]{32}$';
const outcomes = ['passed', 'failed', 'skipped'];

export const eventArgs: Arguments = {
  message: { description: 'Error message.', type: 'string', required: true, minLength: 1, maxLength: 8192 },
  platform: { description: 'Platform name.', type: 'string', required: true, minLength: 1, maxLength: 64 },
  event_id: { type: 'string', pattern: eventIdPattern },
  level: { type: 'string', enum: ['fatal', 'error', 'warning', 'info', 'debug'], default: 'error' },
  timestamp: { type: ['number', 'string'] },
  environment: { type: 'string', maxLength: 64 },
  release: { type: ['string', 'null'], maxLength: 200 },
  url: { type: 'string', format: 'uri' },
  tags: { type: 'object', maxProperties: 50, additionalProperties: { type: 'string' } },
  user: {
    type: 'object',
    properties: {
      id: { type: ['string', 'integer'] },
      email: { type: 'string', format: 'email' },
      ip_address: { type: 'string', format: 'ip' },
    },
  },
  breadcrumbs: { type: 'array', maxItems: 100, items: { type: 'object' } },
};

export const feedbackArgs: Arguments = {
  message: { type: 'string', required: true, minLength: 1, maxLength: 4096 },
  name: { type: 'string', maxLength: 128 },
  email: { type: 'string', format: 'email', maxLength: 254 },
  url: { type: 'string', format: 'uri' },
  event_id: { type: 'string', pattern: eventIdPattern },
  domain: { type: 'string', maxLength: 191 },
};

export const sdkVerifyArgs: Arguments = {
  sdk: {
    type: 'object',
    required: true,
    properties: {
      name: { type: 'string', required: true },
      version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    },
  },
  domain: { type: 'string' },
};

export const verificationArgs: Arguments = {
  domain: { type: 'string', required: true, minLength: 3, maxLength: 191, pattern: '^[a-z0-9.-]+$' },
  method: { type: 'string', enum: ['dns', 'meta', 'file'], default: 'dns' },
};

export const releaseArgs: Arguments = {
  version: { type: 'string', required: true, minLength: 1, maxLength: 200 },
  ref: { type: ['string', 'null'] },
  url: { type: 'string', format: 'uri' },
  projects: { type: 'array', items: { type: 'string' }, uniqueItems: true },
};

export const deployArgs: Arguments = {
  version: { type: 'string', required: true },
  environment: { type: 'string', required: true, enum: ['production', 'staging', 'development'] },
  started_at: { type: 'string', format: 'date-time' },
  finished_at: { type: ['string', 'null'], format: 'date-time' },
};

export const testRunArgs: Arguments = {
  name: { type: 'string', required: true },
  status: { type: 'string', required: true, enum: outcomes },
  total: { type: 'integer', minimum: 0 },
  duration: { type: 'number', minimum: 0 },
  tests: {
    type: 'array',
    maxItems: 5000,
    items: {
      type: 'object',
      properties: { name: { type: 'string', required: true }, status: { type: 'string', enum: outcomes } },
    },
  },
};
