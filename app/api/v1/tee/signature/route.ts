import { nextRoute } from '@/lib/server/http/next-adapter';
import { teeSignature } from '@/lib/server/api/tee/signature';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(teeSignature);
