// Every setting with the kind of its value; config.ts validates the values.

/** `switch` is on or off; `secret` is a text that may also be in a file named by `NAME_FILE`. */
export const settings = {
  PORT: 'number',
  HOST: 'text',
  BASE_URL: 'text',
  WP_PATH: 'text',
  PAGES: 'switch',
  PAGES_URL: 'text',
  DEMO: 'switch',
  DEMO_INDEX: 'switch',
  DATABASE_URL: 'secret',
  DATABASE_POOL_MAX: 'number',
  DATABASE_STATEMENTS: 'text',
  REDIS_URL: 'secret',
  TRUST_PROXY: 'list',
  NOTIFIER_PROJECT: 'text',
  NOTIFIER_PUBLIC_KEY: 'secret',
  NOTIFIER_SECRET_KEY: 'secret',
  NOTIFIER_DOMAINS: 'list',
  NOTIFIER_ADMIN_TOKEN: 'secret',
  RATE_LIMITS: 'switch',
  RATE_LIMIT_EVENTS_PER_MINUTE: 'number',
  RATE_LIMIT_EVENTS_PER_ADDRESS_PER_MINUTE: 'number',
  RATE_LIMIT_BYTES_PER_MINUTE: 'number',
  RATE_LIMIT_BYTES_PER_ADDRESS_PER_MINUTE: 'number',
  RATE_LIMIT_BYTES_PER_PROJECT_PER_MINUTE: 'number',
  RATE_LIMIT_FEEDBACK_PER_ADDRESS_PER_MINUTE: 'number',
  RATE_LIMIT_FEEDBACK_PER_HOUR: 'number',
  RATE_LIMIT_VERIFY_PER_ADDRESS_PER_MINUTE: 'number',
  RATE_LIMIT_SERVER_PER_MINUTE: 'number',
  RATE_LIMIT_CHUNKS_PER_MINUTE: 'number',
  RATE_LIMIT_PROOFS_PER_HOUR: 'number',
  RATE_LIMIT_CHECKS_PER_MINUTE: 'number',
  RATE_LIMIT_BAD_CREDENTIALS_PER_MINUTE: 'number',
  RATE_LIMIT_PAGES_PER_MINUTE: 'number',
  RATE_LIMIT_SIGN_IN_PER_MINUTE: 'number',
  RETENTION_DAYS: 'number',
  RETENTION_EVENTS_PER_PROJECT: 'number',
  RETENTION_BYTES_PER_PROJECT: 'number',
  NOTIFIER_DNS_SERVERS: 'list',
  NOTIFIER_CHALLENGE_LABEL: 'text',
  NOTIFIER_FETCH_ALLOW_PRIVATE: 'switch',
  NOTIFIER_FETCH_ALLOW: 'list',
  SMTP_URL: 'secret',
  SMTP_FROM: 'text',
  NOTIFIER_DIALECT: 'text',
  LOG_LEVEL: 'level',
  METRICS_PORT: 'text',
  OVERLOAD: 'switch',
  MEMORY_LIMIT_MB: 'number',
  DISK_RESERVE_MB: 'number',
} as const;

export type Settings = typeof settings;

export const settingNames = Object.keys(settings) as Array<keyof Settings>;

export const secretSettingNames = settingNames.filter((name) => settings[name] === 'secret');

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];
