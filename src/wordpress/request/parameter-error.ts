// WordPress ends with a PHP TypeError here. With `faults: 'error'` it is 400 `rest_invalid_param`: the client's fault.
import { WpError } from '../response/wp-error.ts';

/** Thrown where PHP would throw a TypeError. `sentence` is worded like a schema check's message. */
export class ParameterTypeError extends TypeError {
  readonly parameter: string;
  readonly sentence: string;

  constructor(parameter: string, sentence: string) {
    super(`${parameter}: ${sentence}`);
    this.name = 'ParameterFault';
    this.parameter = parameter;
    this.sentence = sentence;
  }
}

export function notStringError(parameter: string): ParameterTypeError {
  return new ParameterTypeError(parameter, `${parameter} is not of type string.`);
}

export function toParameterError({ parameter, sentence }: ParameterTypeError): WpError {
  const detail = { code: 'rest_invalid_type', message: sentence, data: { param: parameter } };
  return new WpError('rest_invalid_param', `Invalid parameter(s): ${parameter}`, {
    status: 400,
    params: { [parameter]: sentence },
    details: { [parameter]: detail },
  });
}
