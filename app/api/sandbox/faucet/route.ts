import { nextRoute } from '@/lib/server/http/next-adapter';
import { sandboxFaucet } from '@/lib/server/api/sandbox/faucet';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(sandboxFaucet);
