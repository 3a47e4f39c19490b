// A parameter that WordPress itself dies of. As a fault it stays what it is there; a server that answers
// faults as errors says what is wrong with the parameter instead, because then it is the client's fault and
// not ours.
import { WpError } from '../response/wp-error.ts';

/**
 * Thrown where PHP would end with a TypeError. `sentence` says what is wrong, in the words of a schema check.
 */
export class ParameterFault extends TypeError {
  readonly parameter: string;
  readonly sentence: string;

  constructor(parameter: string, sentence: string) {
    super(`${parameter}: ${sentence}`);
    this.name = 'ParameterFault';
    this.parameter = parameter;
    this.sentence = sentence;
  }
}

/** The fault of a parameter that should be a text and is none. */
export function notText(parameter: string): ParameterFault {
  return new ParameterFault(parameter, `${parameter} is not of type string.`);
}

/** The refusal `rest_invalid_param` that says the same. */
export function parameterError({ parameter, sentence }: ParameterFault): WpError {
  const detail = { code: 'rest_invalid_type', message: sentence, data: { param: parameter } };
  return new WpError('rest_invalid_param', `Invalid parameter(s): ${parameter}`, {
    status: 400,
    params: { [parameter]: sentence },
    details: { [parameter]: detail },
  });
}
