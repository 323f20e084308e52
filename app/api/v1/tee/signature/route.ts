import { nextRoute } from '@/lib/server/http/next-adapter';
import { teeSignature } from '@/lib/server/endpoints/tee/signature';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(teeSignature);
