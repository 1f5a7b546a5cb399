import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;

/** Lucene's BM25 with its English analyzer: texts from a file, a line each; a line of numbers for each question. */
public class LuceneSearch {
    public static void main(String[] arguments) throws Exception {
        var directory = new ByteBuffersDirectory();
        var analyzer = new EnglishAnalyzer();
        try (var writer = new IndexWriter(directory, new IndexWriterConfig(analyzer));
             var lines = Files.lines(Path.of(arguments[0]))) {
            for (var line : (Iterable<String>) lines::iterator) {
                var document = new Document();
                document.add(new TextField("text", line, Field.Store.NO));
                writer.addDocument(document);
            }
            writer.forceMerge(1);
        }
        int most = Integer.parseInt(arguments[1]);
        var searcher = new IndexSearcher(DirectoryReader.open(directory));
        searcher.setSimilarity(new BM25Similarity());
        IndexSearcher.setMaxClauseCount(100_000);
        var asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String question; (question = asked.readLine()) != null; ) {
            var words = QueryParser.escape(question.toLowerCase());
            var query = words.isBlank() ? null : new QueryParser("text", analyzer).parse(words);
            var found = query == null ? "" : Arrays.stream(searcher.search(query, most).scoreDocs)
                .map(hit -> String.valueOf(hit.doc)).collect(Collectors.joining(" "));
            System.out.println(found);
            System.out.flush();
        }
    }
}
