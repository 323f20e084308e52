'use client';

import { Badge } from '@/components/ui/badge';
import { chatWords } from './words';
import type { ModelAbilities } from '@/lib/client/chat-models';
import { Lock, ShieldHalf, Waypoints } from 'lucide-react';

const words = chatWords.model;

/** Returns the text of a model's badge. */
export function privacyWordOf({ encrypt, attest }: Pick<ModelAbilities, 'encrypt' | 'attest'>): string {
  if (encrypt) return words.encrypted;
  return attest ? words.attested : words.relayed;
}

/**
 * Shows who can read messages to a model. If `isTerse` is true, phones show only the icon, to leave room for the
 * model's name.
 */
export function PrivacyBadge({
  can,
  isTerse = false,
}: {
  can: Pick<ModelAbilities, 'encrypt' | 'attest'>;
  isTerse?: boolean;
}) {
  const word = isTerse ? 'max-sm:sr-only short:max-lg:sr-only' : undefined;
  if (can.encrypt) {
    return (
      <Badge tone="violet" title={words.encryptedTitle}>
        <Lock aria-hidden />
        <span className={word}>{privacyWordOf(can)}</span>
      </Badge>
    );
  }
  const Icon = can.attest ? ShieldHalf : Waypoints;
  return (
    <Badge title={can.attest ? words.attestedTitle : words.relayedTitle}>
      <Icon aria-hidden />
      <span className={word}>{privacyWordOf(can)}</span>
    </Badge>
  );
}
