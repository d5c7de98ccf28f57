/** A small line without axes beside a figure. */

export function Spark({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  const most = Math.max(...values, 1);
  const step = 100 / Math.max(1, values.length - 1);
  const points = values.map((value, n) => `${(n * step).toFixed(2)} ${(27 - (value / most) * 24).toFixed(2)}`);
  return (
    <svg class="spark" width="100%" height="28" viewBox="0 0 100 28" preserveAspectRatio="none" role="img" aria-label={label}>
      {points.length > 0 && <path class="ground" d={`M0 28L${points.join("L")}L${points.length === 1 ? "0.01" : "100"} 28Z`} />}
      {points.length > 0 && <path class="edge" d={`M${points.join("L")}${points.length === 1 ? "h.01" : ""}`} />}
    </svg>
  );
}
