import { need } from './elements.js';

/** Pixels for each CSS pixel, so that the picture stays sharp on paper. */
const DENSITY = 2;
const MARGIN = 16;
const TITLE_HEIGHT = 40;
const FOOT_HEIGHT = 28;

/** Draws the chart as it is shown, with its title and its origin, and saves it. The page's policy allows no data URLs. */
export async function savePng(
  place: HTMLElement,
  { title, name }: { title: string; name: string },
): Promise<void> {
  const frame = place.getBoundingClientRect();
  const canvas = document.createElement('canvas');
  canvas.width = (frame.width + 2 * MARGIN) * DENSITY;
  canvas.height = (frame.height + TITLE_HEIGHT + FOOT_HEIGHT) * DENSITY;
  const context = canvas.getContext('2d');
  if (!context) return;
  const { color, fontFamily } = getComputedStyle(place);
  context.scale(DENSITY, DENSITY);
  context.fillStyle = getComputedStyle(need('.card')).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = color;
  context.font = `600 18px ${fontFamily}`;
  context.fillText(title, MARGIN, 26);
  context.font = `12px ${fontFamily}`;
  context.globalAlpha = 0.7;
  context.fillText(`Almanac · ${location.host}`, MARGIN, frame.height + TITLE_HEIGHT + 16);
  context.globalAlpha = 1;
  context.translate(MARGIN - frame.left, TITLE_HEIGHT - frame.top);
  for (const chip of place.querySelectorAll('rect')) {
    const { left, top, width, height } = chip.getBoundingClientRect();
    context.fillStyle = getComputedStyle(chip).fill;
    context.fillRect(left, top, width, height);
  }
  for (const text of place.querySelectorAll('text')) drawText(context, text);
  for (const path of place.querySelectorAll('path')) drawPath(context, path);
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!picture) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(picture);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function drawText(context: CanvasRenderingContext2D, text: SVGTextElement): void {
  const { left, top, width, height } = text.getBoundingClientRect();
  if (width === 0) return;
  // The shorthand is empty with tabular figures.
  const { fill, fontWeight, fontSize, fontFamily } = getComputedStyle(text);
  const font = `${fontWeight} ${fontSize} ${fontFamily}`;
  Object.assign(context, { fillStyle: fill, font, textBaseline: 'middle' });
  context.fillText(text.textContent ?? '', left, top + height / 2);
}

/** The style stretches the chart, but not the width of its lines. */
function drawPath(context: CanvasRenderingContext2D, path: SVGPathElement): void {
  const shape = new Path2D();
  const matrix = path.getScreenCTM();
  if (!matrix) return;
  // A canvas draws no line without length, as that of a dot.
  const drawn = path.getAttribute('d')?.replaceAll('h0', 'h0.01');
  shape.addPath(new Path2D(drawn), matrix);
  const { fill, stroke, strokeWidth, strokeDasharray, strokeLinecap } = getComputedStyle(path);
  if (fill !== 'none') {
    context.fillStyle = fill;
    context.fill(shape);
  }
  if (stroke === 'none') return;
  context.setLineDash(strokeDasharray === 'none' ? [] : strokeDasharray.split(',').map(Number.parseFloat));
  Object.assign(context, {
    strokeStyle: stroke,
    lineWidth: Number.parseFloat(strokeWidth),
    lineCap: strokeLinecap,
    lineJoin: 'round',
  });
  context.stroke(shape);
}
