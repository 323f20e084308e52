import { chatField, NO_TOKEN_LIMIT } from '@/lib/protocol/chat/chat-fields';
import type { ChatRequest } from '@/lib/protocol/chat/chat-request';
import { enclaveFieldFault, innerFieldFault, plainFieldFault } from '@/lib/protocol/chat/field-check';
import { shapeFault } from '@/lib/protocol/chat/message-shape';
import { pathError } from '../http/validation-error';
import { type ChatBody, withMembersOf } from './chat-body';
import type { ChatModel } from './chat-model';

/**
 * The body as it may go to a model. Of one that may be altered: its known fields, and those that the operator has named
 * (`inference.chatFields`). Of an attested one: every byte, once nothing in it is a field to some decoders and not to
 * others, or multiplies what is generated beside what is priced.
 * @throws ApiError 400 that names the field
 */
export function forwardedFields(body: ChatBody, { capabilities }: ChatModel, further: ReadonlySet<string>): ChatBody {
  const { request, members } = body;
  const isKept = capabilities.supportsTeeAttestation;
  const fault =
    (isKept ? enclaveFieldFault(request, members.keys(), further) : plainFieldFault(request)) ??
    innerFieldFault(request) ??
    shapeFault(request);
  if (fault) throw pathError(fault.path, fault.message);
  return isKept
    ? body
    : withMembersOf(
        body,
        (name) => further.has(name) || (chatField(name)?.plain === 'sent' && !isNoLimit(request, name)),
      );
}

/** Servers differ in what they make of a limit of -1. */
function isNoLimit(request: ChatRequest, name: string): boolean {
  return (name === 'max_tokens' || name === 'max_completion_tokens') && request[name] === NO_TOKEN_LIMIT;
}
