import { nextRoute } from '@/lib/server/http/next-adapter';
import { sandboxFaucet } from '@/lib/server/endpoints/sandbox/faucet';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(sandboxFaucet);
