import { chatField, type ChatRequest, NO_TOKEN_LIMIT } from '@/lib/protocol/chat/chat-request';
import { enclaveFieldFault, innerFieldFault, plainFieldFault } from '@/lib/protocol/chat/field-check';
import { shapeFault } from '@/lib/protocol/chat/message-shape';
import { pathError } from '../http/validation-error';
import { type ChatBody, withMembersOf } from './chat-body';
import type { ChatModel } from './chat-model';

/**
 * Returns the body to send upstream. Models without attestation get known fields and the fields of
 * `inference.chatFields`. Attested models get every byte. An attested model's request is refused if parsers could
 * interpret a field differently, or if a field asks for more output than was priced.
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

/** Returns whether a token limit is -1, which servers interpret differently. */
function isNoLimit(request: ChatRequest, name: string): boolean {
  return (name === 'max_tokens' || name === 'max_completion_tokens') && request[name] === NO_TOKEN_LIMIT;
}
