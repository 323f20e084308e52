import { errorReply } from '../../http/error-reply';
import { fieldError } from '../../http/validation-error';

/** Returns the body of the error for one invalid field. */
export function faultyField(field: string, fault: string): unknown {
  return JSON.parse(String(errorReply(fieldError(field, fault)).body));
}
