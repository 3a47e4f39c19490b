// What a monitor asks and expects, as options: one for each field of POST /monitors, and of its change.

/** Of a monitor that is made, and of one that is changed. */
export const termOptions = {
  url: { type: 'string', help: 'what is asked, for http and keyword' },
  method: {
    type: 'string',
    help: 'by which a page is asked: GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS (default: GET)',
  },
  headers: { type: 'string', help: 'headers that it is asked with, as "Name: value", one a line' },
  body: { type: 'string', help: 'what is sent, for POST, PUT, PATCH and DELETE' },
  host: { type: 'string', help: 'what is asked, for tcp and tls (with or without a port) and for dns' },
  port: { type: 'string', help: 'of a host, its port' },
  grace: { type: 'string', help: 'seconds that a call may be late, for heartbeat (default: 300)' },
  schedule: {
    type: 'string',
    help: 'when a job runs, for cron: a crontab such as "30 2 * * *", or "10 minutes"',
  },
  timezone: { type: 'string', help: 'by which clock, for cron (default: UTC)' },
  'checkin-margin': { type: 'string', help: 'minutes that a run may begin late, for cron (default: 1)' },
  'max-runtime': { type: 'string', help: 'minutes that a run may take, for cron (default: 30)' },
  'failure-issue-threshold': {
    type: 'string',
    help: 'bad runs one after the other that make it down, for cron (default: 1)',
  },
  'recovery-threshold': {
    type: 'string',
    help: 'good runs one after the other that end that, for cron (default: 1)',
  },
  record: { type: 'string', help: 'of a name, the kind of record, for dns: A, AAAA, CNAME, MX, TXT …' },
  answers: { type: 'string', help: 'the records that it must have (for TXT one a line; default: any)' },
  interval: { type: 'string', help: 'seconds from one check to the next (default: 60)' },
  timeout: { type: 'string', help: 'seconds that a check may take (default: 10)' },
  confirmations: {
    type: 'string',
    help: 'checks one after the other that must say the same before the state changes (default: 2)',
  },
  'slow-ms': { type: 'string', help: 'an answer that takes longer is degraded (default: no limit)' },
  status: { type: 'string', help: 'statuses that are good, such as 200-299,401 (default: 200-299)' },
  contains: { type: 'string', help: 'what the answer has to say' },
  lacks: { type: 'string', help: 'what the answer must not say' },
  'json-path': { type: 'string', help: 'a JSON pointer into the answer, such as /status' },
  'json-value': { type: 'string', help: 'what stands there, as text' },
  redirect: { type: 'string', help: 'where the answer has to redirect to (default: redirects are followed)' },
  'certificate-days': { type: 'string', help: 'a certificate that ends sooner is degraded (default: 14)' },
  group: { type: 'string', help: 'with what it is listed' },
  tags: { type: 'string', help: 'words to find it by, with commas between them' },
  goal: { type: 'string', help: 'percent of the time that it is to be up (default: 99.9)' },
} as const;

export const termSwitches = {
  'opens-incidents': { type: 'string', help: 'on or off: whether going down opens one (default: on)' },
} as const;

/** Of a monitor that is made: what check-ins call it stays as it is. */
export const jobOptions = {
  'monitor-slug': { type: 'string', help: 'what check-ins call the job, for cron (default: the name)' },
  environment: { type: 'string', help: 'where the job runs, for cron (default: production)' },
} as const;
