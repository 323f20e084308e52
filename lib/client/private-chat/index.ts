/**
 * Private chats (attested, encrypted and signed), and ordinary chats with the same events. For browsers and Node.
 * Separate from lib/client, so that programs without private chats load no cryptography.
 */
export type { ChatMessage, PicturedMessage } from '@/lib/protocol/chat/folded-conversation';
export { attestationRefusal, attestModel, type AttestOptions } from './attestation';
export type { AttestationClaim, Attestation } from './judged-attestation';
export { attestedKeyOf } from './attested-key';
export { hopsOfAttestation } from './attestation-hops';
export { type AcceptableVerdict, attestationPolicy, type PolicyAdditions } from './attestation';
export type { ChatAnswer, ChatEvent, PrivateChatEvent, ReceivedReply, SentRequest } from './chat-event';
export { type Connection } from './connection';
export { PrivateChatError, type PrivateChatFault } from './private-chat-error';
export { type PrivateChatOptions, PrivateChatSession, type SendOptions } from './private-chat-session';
export { checkSignature } from './signature-check';
export type { SignatureCheck } from './chat-event';
export type { ReplyTimeouts } from './completion-stream';
export { type ChatCall, streamChat } from './stream-chat';
