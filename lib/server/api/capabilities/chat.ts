import type { AttestationParts } from '../../attestation/attest';
import { Endorsements } from '../../attestation/endorsements';
import { KeptReports } from '../../attestation/kept-reports';
import { MeasurementLog } from '../../attestation/measurement-log';
import { OwnVerdicts } from '../../attestation/own-verdicts';
import { SeenReports } from '../../attestation/seen-reports';
import type { ReceiptKeys } from '../../billing/receipts/receipt-keys';
import { Chat, measureChats } from '../../chat/chat';
import type { Config } from '../../config/load';
import type { Database } from '../../db/schema';
import { chatCompletions } from '../chat/completions';
import { countMessageTokens } from '../chat/count-tokens';
import { chatMessages } from '../chat/messages';
import { chatResponses } from '../chat/responses';
import { teeAttestation } from '../tee/attestation';
import { AttestationAccess } from '../tee/attestation-access';
import { teeMeasurements } from '../tee/measurements';
import { teeReport } from '../tee/report';
import { teeSignature } from '../tee/signature';
import type { Capability, Ground } from './capability';

/**
 * Chat endpoints, and the objects that they share with other capabilities. A reload may replace all except `kept`.
 */
export interface ChatCapability extends Capability {
  readonly current: Chat;
  readonly seen: SeenReports;
  readonly access: AttestationAccess;
  readonly attestation: AttestationParts;
  readonly kept: KeptReports;
}

export function openChat(
  { config, log, metrics, memory, now }: Ground,
  { db, receiptKeys: keys }: { db: Database; receiptKeys: ReceiptKeys },
): ChatCapability {
  const times = measureChats(metrics);
  const measured = new MeasurementLog({ db, keys, now, log });
  const kept = new KeptReports(db);
  const made = ({ inference, limits }: Config) => {
    const { attestation: policy, attestationServices: services } = inference;
    const endorsements = new Endorsements({ services, policy, log });
    const attestation = { endorsements, policy, seen: new SeenReports(), measured, kept, now, log };
    const verdicts = new OwnVerdicts(attestation);
    const chat = new Chat(inference, log, { times, memory, isAttested: (model) => verdicts.isAttested(model) });
    return { chat, attestation, access: new AttestationAccess(db, limits, now) };
  };
  let current = made(config);
  const retired = new Set<Chat>();
  return {
    get current() {
      return current.chat;
    },
    get seen() {
      return current.attestation.seen;
    },
    get access() {
      return current.access;
    },
    get attestation() {
      return current.attestation;
    },
    kept,
    endpoints: ({ auth, paidCalls, addressLimiter }) => {
      const { chat, attestation, access } = current;
      const { models } = chat;
      return [
        chatCompletions({ paidCalls, chat }),
        chatResponses({ paidCalls, chat }),
        chatMessages({ paidCalls, chat }),
        countMessageTokens({ auth, chat }),
        teeAttestation({ auth, models, access, attestation }),
        teeSignature({ auth, models, access, seen: attestation.seen, log }),
        teeMeasurements({ db, addressLimiter }),
        teeReport({ kept, addressLimiter }),
      ];
    },
    reload: async (next, changed) => {
      if (!changed.some((path) => path.startsWith('inference'))) {
        const access = new AttestationAccess(db, next.limits, now);
        return () => void (current = { ...current, access });
      }
      const replacement = made(next);
      // Loads the model lists first, so that calls never wait for them.
      await replacement.chat.models.list();
      return () => {
        const before = current.chat;
        current = replacement;
        retired.add(before);
        void before.retire().finally(() => retired.delete(before));
      };
    },
    close: async () => {
      await Promise.all([current.chat, ...retired].map((each) => each.close()));
    },
  };
}
