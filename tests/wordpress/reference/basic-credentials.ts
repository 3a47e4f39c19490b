// Application passwords as WordPress checks them where something asks for the user early. The site has one
// user, admin, and no application password is ever good.
import type { RestRequest } from '../../../src/wordpress/request/rest-request.ts';
import { WpError } from '../../../src/wordpress/response/wp-error.ts';
import { isEmail } from '../../../src/wordpress/schema/formats.ts';

const users = { login: 'admin', email: 'admin@notifier.test' };

/**
 * The error of `Authorization: Basic`, when the recording's switch says that credentials are asked for early.
 */
export function checkBasicCredentials(request: RestRequest): WpError | null {
  const isSignedIn = request.header('x-oracle-user') !== undefined;
  if (isSignedIn || request.header('x-oracle-app-passwords') !== '2') return null;
  const name = userName(request.header('authorization') ?? '');
  if (name === null) return null;
  return refusal(name);
}

function refusal(name: string): WpError {
  const isKnown = name.toLowerCase() === users.login || name.toLowerCase() === users.email;
  const data = { status: 401 };
  if (isKnown) {
    return new WpError(
      'incorrect_password',
      'The provided password is an invalid application password.',
      data,
    );
  }
  if (isEmail(name)) {
    const words = '<strong>Error:</strong> Unknown email address. Check again or try your username.';
    return new WpError('invalid_email', words, data);
  }
  const words = '<strong>Error:</strong> Unknown username. Check again or try your email address.';
  return new WpError('invalid_username', words, data);
}

/** PHP has no password to give where none stands behind the colon, and then nothing is checked. */
function userName(authorization: string): string | null {
  const encoded = /^Basic (.*)$/is.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 || colon === text.length - 1 ? null : text.slice(0, colon);
}
