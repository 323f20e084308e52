import { errorReply } from '../../http/error-reply';
import { fieldError } from '../../http/validation-error';

/** The body of a refusal of one field, as it is answered. */
export function faultyField(field: string, fault: string): unknown {
  return JSON.parse(String(errorReply(fieldError(field, fault)).body));
}
