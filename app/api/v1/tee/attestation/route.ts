import { nextRoute } from '@/lib/server/http/next-adapter';
import { teeAttestation } from '@/lib/server/api/tee/attestation';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(teeAttestation);
