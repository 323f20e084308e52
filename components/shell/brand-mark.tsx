'use client';

import { useBrand } from '@/lib/browser/brand';
import { Lamp } from './lamp';

/** Operator's logo; the built-in lamp without one. */
export function BrandMark({ className }: { className: string }) {
  const { logo } = useBrand();
  if (logo === null) return <Lamp className={className} />;
  // An image, because scripts and styles in an SVG file have no effect there.
  // oxlint-disable-next-line nextjs/no-img-element -- The gateway serves the image itself.
  return <img src={logo} alt="" className={className} />;
}

export function BrandName() {
  return useBrand().name;
}
