/** The request headers that are kept: without authorization, cookies and signatures. */
import { Table } from "../parts/table.tsx";
import { Foreign } from "../parts/text.tsx";

export function StoryHeaders({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  const pairs = Object.entries(headers);
  return (
    <section class="panel pairs" aria-labelledby="headers">
      <h2 id="headers">Headers</h2>
      {pairs.length === 0 ? (
        <p>None are kept.</p>
      ) : (
        <Table caption="Kept headers" columns={[{ name: "Name" }, { name: "Value" }]}>
          {pairs.map(([name, value]) => (
            <tr>
              <th scope="row">
                <Foreign>{name}</Foreign>
              </th>
              <td>
                <Foreign>{value}</Foreign>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
