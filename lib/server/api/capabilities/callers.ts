import { Auth } from '../../auth/auth';
import { PaymentChallenge, type TopUpOffer } from '../../auth/payment-challenge';
import { SignInVerifier } from '../../auth/sign-in-verifier';
import type { PersonalSignatures } from '../../auth/verify-signature';
import type { Meter } from '../../billing/meter';
import { AddressLimiter } from '../../http/rate-limit/address-limiter';
import { CallerLimiter } from '../../http/rate-limit/caller-limiter';
import { routes } from '..';
import { soldResources } from '../discovery/bazaar';
import type { Capability } from './capability';
import type { Ground } from './ground';

interface Needs {
  meter: Meter;
  signatures: PersonalSignatures;
  rails: TopUpOffer;
  perCallMinimumNanoUsd: number | null;
}

/** Identifies callers by key or sign-in, limits them, and tells those without a credential how to pay. */
export function openCallers(
  { config: { limits, brand }, rules, now }: Ground,
  { meter, signatures, rails, perCallMinimumNanoUsd }: Needs,
) {
  const callerLimiter = new CallerLimiter(limits.requestsPerMinute);
  const strangerLimiter = new AddressLimiter(limits.strangerRequestsPerMinutePerIp);
  const soldAt = soldResources(routes, brand.name);
  const challenge = new PaymentChallenge({ rules, offer: rails, perCallMinimumNanoUsd, soldAt, now });
  const signIn = new SignInVerifier(rules, signatures, now);
  return {
    challenge,
    signIn,
    auth: new Auth({ callers: meter, signIn, challenge, callerLimiter, strangerLimiter, now }),
    // The limiters stay, because a reload must not forget what they counted.
    reload: (next) => () => {
      callerLimiter.limit = next.limits.requestsPerMinute;
      strangerLimiter.limit = next.limits.strangerRequestsPerMinutePerIp;
    },
  } satisfies Capability & Record<string, unknown>;
}
